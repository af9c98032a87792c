// Weight fitting: gradient descent on the logits of the learned probabilities, first in large steps, then in smaller
// ones. The caller computes the loss.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <neumann/learn_options.h>

#include "learn/probabilities/parameter_logits.h"

namespace neumann {

struct WeightLoss {
    double loss = 0;                // per label
    std::vector<double> by_weight;  // its gradient by all weights
};

struct WeightFit {
    std::vector<double> weights;
    double start_loss = 0;
    double loss = 0;
    std::uint32_t iterations = 0;
    bool converged = false;
    bool interrupted = false;
};

// Starts at `weights`; of the options, the number of iterations, the tolerance, the patience and the optimiser count.
// `watch` gets the loss after each iteration; false: stop.
WeightFit fit_weights(const std::vector<ParameterGroup>& groups, std::vector<double> weights,
                      const ParameterSearch& options, const std::function<WeightLoss(std::span<const double>)>& loss_of,
                      const std::function<bool(std::uint32_t, double)>& watch);

}  // namespace neumann
