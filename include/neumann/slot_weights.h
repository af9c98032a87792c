// Slot weights, the clause weights of the paper: M slots, each of which softly chooses one of the clauses.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace neumann {

// Each slot has a logit for every clause; p_m = softmax(logits of slot m), and the weight of clause k is
// min(1, softor(p_1k, …, p_Mk)). Logits are stored slot by slot: logits[m * clauses + k]. Both functions throw
// std::invalid_argument for numbers that are not finite, too many or too few; they keep no state.
struct SlotWeights {
    std::size_t clauses = 0;
    unsigned slots = 1;     // M: how many clauses can be chosen
    double gamma = 0.01;    // of the soft-or, from 1e-4 to 10
    bool leak_free = true;  // a clause that no slot chooses has weight 0; under the paper's formula it has gamma·log M

    // The weight of every clause.
    std::vector<double> compose(std::span<const double> logits) const;

    // From the gradient of a loss by the weights (Gradients::weight_sums) to that by the logits, in their layout. Where
    // a weight was clamped to 1, its gradient is that of the soft-or before clamping.
    std::vector<double> gradient(std::span<const double> logits, std::span<const double> weight_gradient) const;
};

}  // namespace neumann
