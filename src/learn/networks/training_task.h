// Task of a network that learns through a program: the compiled program, and examples with images and labels of any
// kind.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <neumann/train.h>

#include "learn/labels/example_labels.h"
#include "session/model_state.h"

namespace neumann {

// Given values and labels, and the images whose objects give the rest.
struct TrainingExample : SupervisedExample {
    std::string id;
    std::vector<std::filesystem::path> images;
    std::string query;  // the atom that is asked, as SoftValuation spells it; empty: none
};

struct TrainingTask {
    std::unique_ptr<Model::State> model;
    Signature declared;  // of the program: neural predicates are valued by the network
    std::vector<TrainingExample> examples;
    std::size_t images = 0;  // of all examples
};

// Lists the examples, and compiles the program for their labels: everything that these do not depend on is left out.
// Throws Error, PerceptionError, SceneError, FileError.
TrainingTask read_training_task(const std::filesystem::path& program, const LogicTraining& request);

}  // namespace neumann
