#include "learn/probabilities/weight_fit.h"

#include <array>
#include <utility>

#include "learn/loss/optimiser.h"

namespace neumann {
namespace {

// Parts of the rate, one after the other: large steps do not settle, small ones do not get there.
constexpr std::array<double, 3> shares_of_rate = {1, 0.1, 0.01};

}  // namespace

WeightFit fit_weights(const std::vector<ParameterGroup>& groups, std::vector<double> weights,
                      const ParameterSearch& options, const std::function<WeightLoss(std::span<const double>)>& loss_of,
                      const std::function<bool(std::uint32_t, double)>& watch) {
    WeightLoss best_loss = loss_of(weights);
    WeightFit best{std::move(weights), best_loss.loss, best_loss.loss};
    for (const double share : shares_of_rate) {
        OptimiserOptions how = options.optimiser;
        how.rate *= share;
        ParameterLogits logits(groups, best.weights);
        Optimiser optimiser(how, logits.values().size());
        WeightLoss now = best_loss;
        std::vector<double> tried = best.weights;
        std::uint32_t without_gain = 0;
        while (without_gain < options.patience) {
            if (best.iterations >= options.iterations) return best;
            optimiser.step(logits.values(), logits.weight_gradient(now.by_weight));
            logits.put_into(tried);
            now = loss_of(tried);
            ++best.iterations;
            const double gain = best.loss - now.loss;
            without_gain = gain > options.tolerance ? 0 : without_gain + 1;
            if (gain > 0) {
                best.loss = now.loss;
                best.weights = tried;
                best_loss = now;
            }
            if (!watch(best.iterations, best.loss)) {
                best.interrupted = true;
                return best;
            }
        }
    }
    best.converged = true;
    return best;
}

}  // namespace neumann
