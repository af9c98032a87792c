// Label loss: cross-entropy between a program's conclusion and image labels, with gradients for the objects that a
// network detected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ground/compiled_program.h"
#include "reason/reasoner.h"
#include "valuation/soft_valuation.h"

namespace neumann {

struct LabelLossOptions {
    ReasonOptions reason;
    // Probabilities count as ε + (1 − 2ε)·p: where the program is certain and wrong, the loss stays finite.
    double epsilon = 1e-3;
};

class LabelLoss {
public:
    // Borrows the program with its one `label`, and the layout. Throws ReasonError, ValuationError;
    // std::invalid_argument for another number of labels, or one that does not depend on images.
    LabelLoss(LoadedProgram& loaded, const ObjectLayout& layout, const LabelLossOptions& options,
              const PredicateWeights& weights = {});

    struct Outcome {
        double loss = 0;                            // cross-entropy, the mean over the images
        std::vector<double> probabilities;          // of the label, for each image
        std::vector<std::vector<float>> gradients;  // of the loss by every entry of each image's rows
    };
    // One image for each example; labels are 1 or 0.
    Outcome compare(std::span<const SeenObjects> pictures, std::span<const std::uint8_t> labels);

private:
    LabelLossOptions options_;
    SoftValuation valuation_;
    std::vector<std::uint32_t> inputs_;  // atoms of the graph
    std::vector<std::size_t> places_;    // which of the values that is
    std::uint32_t label_ = 0;
    std::unique_ptr<GraphReasoner> reasoner_;
    Pass pass_;
};

}  // namespace neumann
