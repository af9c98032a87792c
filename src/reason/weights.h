// Clause weights during learning: M vectors of logits, each of which softly chooses one
// clause, make one weight per clause (the paper's "Weight Optimization").
//
//   p_m = softmax(logits_m)      w_k = min(1, OR(p_1k, …, p_Mk))
//
// The derivative is that of the OR before clamping, as everywhere (docs/semantics.md): a weight at 1 still learns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "reason/semantics.h"

namespace neumann {

struct WeightComposition {
    unsigned slots = 1;  // M: how many clauses can be chosen
    double gamma = default_gamma;
    // γ·log(1 + Σ(e^{p/γ} − 1)), under which a clause that no slot chooses has weight 0. Else the paper's
    // γ·log Σ e^{p/γ}, which lifts such a clause to γ·log M.
    bool leak_free = true;

    // `logits` are finite and hold a row of `clauses` numbers for each slot. Both throw ReasonError.
    std::vector<double> compose(std::span<const double> logits, std::size_t clauses) const;
    // From a loss's gradient by the composed weights to that by the logits, in their layout.
    std::vector<double> compose_gradient(std::span<const double> logits, std::size_t clauses,
                                         std::span<const double> weight_gradient) const;
};

}  // namespace neumann
