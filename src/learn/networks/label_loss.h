// Label loss: cross-entropy between a program's conclusions and labels of examples, with gradients for the objects that
// a network detected in their images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compile/atom_names.h"
#include "ground/compiled_program.h"
#include "learn/networks/training_task.h"
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
    // Borrows the program, its names, and the layout. `declared` is the signature whose neural predicates are valued by
    // the network: in a compiled one those of given values are neural, too. Throws ReasonError, ValuationError;
    // std::invalid_argument if nothing that is asked depends on images.
    LabelLoss(LoadedProgram& loaded, AtomNames& names, const Signature& declared, const ObjectLayout& layout,
              const LabelLossOptions& options, const PredicateWeights& weights = {});

    struct Outcome {
        double loss = 0;                            // cross-entropy, the mean over the labels
        double certain = 0;                         // labels that are true, false or an answer,
        double right = 0;                           // and how many of them agree with the program
        std::vector<std::vector<float>> gradients;  // of the loss by every entry of each image's rows
    };
    // The objects of all images, example by example. Throws PerceptionError for a question that is no atom of the
    // program, std::invalid_argument for another number of images.
    Outcome compare(std::span<const TrainingExample* const> examples, std::span<const SeenObjects> seen);

private:
    SoftValuation::Looked looked(const TrainingExample& example, std::span<const SeenObjects> seen) const;

    LabelLossOptions options_;
    SoftValuation valuation_;
    std::vector<std::uint32_t> inputs_;  // atoms of the graph
    std::vector<std::size_t> places_;    // which of the values that is
    std::unique_ptr<GraphReasoner> reasoner_;
    Pass pass_;
};

}  // namespace neumann
