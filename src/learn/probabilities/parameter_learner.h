// Maximum likelihood of probabilities whose expected counts can be computed: expectation maximisation, or gradient
// ascent on logits. Where the counts come from is somebody else's business.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <neumann/learn_options.h>

#include "learn/probabilities/parameter_logits.h"

namespace neumann {

struct ExpectedCounts {
    double log_likelihood = 0;
    std::vector<double> clause;  // how often each came about
    std::vector<double> none;    // per clause: how often none of its group did
};

struct ParameterSearchResult {
    std::vector<double> weights;
    ExpectedCounts counts;  // for them
    double start_log_likelihood = 0;
    std::uint32_t iterations = 0;
    bool converged = false;
    bool interrupted = false;
};

// From `weights` on. `watch` is told the log-likelihood after each iteration; false: stop.
ParameterSearchResult search_parameters(const std::vector<ParameterGroup>& groups, std::vector<double> weights,
                                        std::size_t examples, const ParameterSearch& options,
                                        const std::function<ExpectedCounts(std::span<const double>)>& count,
                                        const std::function<bool(std::uint32_t, double)>& watch);

// Probabilities to start from for those clauses of a group that are `open`: what the others leave is shared at random,
// none of them included. Equal shares could be a saddle point.
void draw_start(const ParameterGroup& group, const std::vector<bool>& open, std::uint64_t seed,
                std::vector<double>& weights);

}  // namespace neumann
