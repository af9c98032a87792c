// Learning an attribute through logic: a network is trained with labels of whole images, and a program stands between
// what the network sees and the labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "ground/compiled_program.h"
#include "perceive/attribute_score.h"
#include "perceive/component.h"
#include "runtime/label_loss.h"

namespace neumann {

struct LogicTraining {
    std::vector<std::string> images;  // labelled images, as for find_pictures()
    std::filesystem::path network;    // weights of a dense detector to begin with
    std::filesystem::path weights;    // the result
    TrainablePart part{.attribute = {}, .learning_rate = 3e-3, .trunk_learning_rate = 3e-3, .seed = 1};
    DeviceOptions device;
    LabelLossOptions loss;
    unsigned epochs = 8;
    std::size_t batch = 16;
    std::size_t most_images = 0;  // to learn from; 0: all
    // How often objects are seen as they are is measured on these, from which nothing is learned; none: not at all.
    MeasuredPictures measured{.count = 500, .seed = 1, .threads = 1, .data = {}};
};

struct LogicTrainingOutcome {
    std::size_t images = 0;
    std::uint64_t steps = 0;
    bool complete = true;  // false: stopped before the last step
    double seconds = 0;
    std::vector<std::pair<std::string, double>> before;  // measured; what is not known is NaN
    std::vector<std::pair<std::string, double>> after;
};

// Compiles a program for its labels: everything that they do not depend on is left out. Returns false if diagnostics
// has errors; the program's sources are set in any case.
bool compile_for_labels(const std::filesystem::path& path, Diagnostics& diagnostics, LoadedProgram& result);

// The program has one label, which is what labels are about; it stays as it is. Writes the weights. Throws
// std::invalid_argument, ValuationError for a program that nothing can be learned through, PerceptionError, SceneError,
// FileError.
LogicTrainingOutcome train_through_logic(LoadedProgram& program, const LogicTraining& request,
                                         TrainingListener& listener);

}  // namespace neumann
