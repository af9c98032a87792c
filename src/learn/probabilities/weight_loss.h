// Loss of a program on labelled atoms, with its gradient by the weights.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <neumann/learn.h>

#include "learn/labels/label_sums.h"
#include "learn/probabilities/weight_examples.h"
#include "learn/probabilities/weight_fit.h"
#include "reason/reasoner.h"

namespace neumann {

class LabelledLoss {
public:
    // Borrows both.
    LabelledLoss(const GraphReasoner& reasoner, WeightLossKind kind) : reasoner_(reasoner), kind_(kind) {}

    // The mean over all labels, with its gradient.
    WeightLoss operator()(const WeightExamples& examples, std::span<const double> weights);
    LearnScore score(const WeightExamples& examples, std::span<const double> weights);

private:
    // `by_weight` gets the gradient of the summed loss; null: values alone.
    void go_through(const WeightExamples& examples, std::span<const double> weights, LabelSums& sums,
                    std::vector<double>* by_weight);

    const GraphReasoner& reasoner_;
    WeightLossKind kind_;
    Pass pass_;
};

}  // namespace neumann
