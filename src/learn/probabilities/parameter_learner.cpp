#include "learn/probabilities/parameter_learner.h"

#include <algorithm>
#include <utility>

#include "base/rng.h"
#include "learn/loss/optimiser.h"

namespace neumann {
namespace {

// The most likely probabilities for these counts.
std::vector<double> maximise(const std::vector<ParameterGroup>& groups, const ExpectedCounts& counts,
                             std::vector<double> weights) {
    for (const ParameterGroup& group : groups) {
        double all = counts.none[group.clauses[0]];
        for (const std::uint32_t clause : group.clauses) all += counts.clause[clause];
        if (!(all > 0)) continue;  // nothing is known about them
        for (const std::uint32_t clause : group.clauses)
            weights[clause] = std::min((1 - group.fixed) * counts.clause[clause] / all, 1.0);
    }
    return weights;
}

}  // namespace

ParameterSearchResult search_parameters(const std::vector<ParameterGroup>& groups, std::vector<double> weights,
                                        std::size_t examples, const ParameterSearch& options,
                                        const std::function<ExpectedCounts(std::span<const double>)>& count,
                                        const std::function<bool(std::uint32_t, double)>& watch) {
    ParameterSearchResult best{weights, count(weights)};
    best.start_log_likelihood = best.counts.log_likelihood;
    const bool by_gradient = options.method == ParameterMethod::Gradient;
    ParameterLogits logits(groups, weights);
    Optimiser optimiser(options.optimiser, logits.values().size());
    ExpectedCounts counts = best.counts;
    std::uint32_t without_gain = 0;
    const std::uint32_t patience = by_gradient ? options.patience : 1;
    while (best.iterations < options.iterations && without_gain < patience) {
        if (by_gradient) {
            optimiser.step(logits.values(), logits.count_gradient(counts.clause, counts.none, examples));
            logits.put_into(weights);
        } else {
            weights = maximise(groups, counts, std::move(weights));
        }
        counts = count(weights);
        ++best.iterations;
        const double gain = (counts.log_likelihood - best.counts.log_likelihood) / static_cast<double>(examples);
        without_gain = gain < options.tolerance ? without_gain + 1 : 0;
        if (gain > 0) {  // at the end rounding may cancel the gain
            best.weights = weights;
            best.counts = counts;
        }
        if (!watch(best.iterations, counts.log_likelihood)) {
            best.interrupted = true;
            return best;
        }
    }
    best.converged = without_gain >= patience;
    return best;
}

void draw_start(const ParameterGroup& group, const std::vector<bool>& open, std::uint64_t seed,
                std::vector<double>& weights) {
    double left = 1 - group.fixed;
    for (const std::uint32_t clause : group.clauses)
        if (!open[clause]) left -= weights[clause];
    Rng rng(Rng(seed).next() + group.clauses[0]);
    const auto draw = [&] { return 0.5 + rng.uniform(); };
    double sum = draw();  // for none
    for (const std::uint32_t clause : group.clauses)
        if (open[clause]) sum += weights[clause] = draw();
    for (const std::uint32_t clause : group.clauses)
        if (open[clause]) weights[clause] *= left / sum;
}

}  // namespace neumann
