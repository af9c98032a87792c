// Maximum likelihood estimation of probabilities from expected counts: expectation maximisation, or gradient
// ascent on logits. The caller computes the counts.
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

// Starts at `weights`. `watch` gets the log-likelihood after each iteration; false: stop.
ParameterSearchResult search_parameters(const std::vector<ParameterGroup>& groups, std::vector<double> weights,
                                        std::size_t examples, const ParameterSearch& options,
                                        const std::function<ExpectedCounts(std::span<const double>)>& count,
                                        const std::function<bool(std::uint32_t, double)>& watch);

// Initial probabilities for those clauses of a group that are `open`: the remaining probability is shared at random,
// a share for no outcome included. Equal shares could be a saddle point.
void draw_start(const ParameterGroup& group, const std::vector<bool>& open, std::uint64_t seed,
                std::vector<double>& weights);

}  // namespace neumann
