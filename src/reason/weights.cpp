#include "reason/weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "reason/reason_error.h"
#include "reason/semantics/log_sum_exp.h"
#include "reason/semantics/softor.h"

namespace neumann {
namespace {

void check(const WeightComposition& composition, std::span<const double> logits, std::size_t clauses) {
    const unsigned slots = composition.slots;
    const double gamma = composition.gamma;
    if (slots == 0) throw ReasonError("weights are composed of at least one slot, not 0");
    require_gamma(gamma);
    if (clauses > logits.size() || logits.size() != slots * clauses)
        throw ReasonError(fmt::format("{} logits given for {} slots × {} clauses", logits.size(), slots, clauses));
    const auto bad = std::ranges::find_if_not(logits, [](double x) { return std::isfinite(x); });
    if (bad != logits.end()) throw ReasonError(fmt::format("logit {} is {}", bad - logits.begin(), *bad));
}

// Every row of the logits on its own. The largest exponent is 0: nothing overflows, and no sum is below 1.
std::vector<double> softmax_rows(std::span<const double> logits, std::size_t clauses) {
    std::vector<double> result(logits.size());
    for (std::size_t row = 0; row < logits.size(); row += clauses) {
        const std::span<const double> from = logits.subspan(row, clauses);
        const std::span<double> to = std::span(result).subspan(row, clauses);
        const double largest = *std::ranges::max_element(from);
        std::ranges::transform(from, to.begin(), [&](double x) { return std::exp(x - largest); });
        const double sum = std::accumulate(to.begin(), to.end(), 0.0);
        for (double& p : to) p /= sum;
    }
    return result;
}

// Calls use(clause, its probabilities in the slots, their OR before clamping).
template <class Use>
void for_each_clause(const WeightComposition& composition, std::span<const double> chosen, std::size_t clauses,
                     Use&& use) {
    std::vector<double> given(composition.slots);
    for (std::size_t k = 0; k < clauses; ++k) {
        for (std::size_t m = 0; m < given.size(); ++m) given[m] = chosen[m * clauses + k];
        const double either = composition.leak_free ? formulas::SoftOr::unclamped(composition.gamma, 0.0, given)
                                                    : formulas::log_sum_exp(composition.gamma, given);
        use(k, given, either);
    }
}

}  // namespace

std::vector<double> WeightComposition::compose(std::span<const double> logits, std::size_t clauses) const {
    check(*this, logits, clauses);
    std::vector<double> weights(clauses);
    for_each_clause(*this, softmax_rows(logits, clauses), clauses,
                    [&](std::size_t k, std::span<const double>, double either) { weights[k] = std::min(1.0, either); });
    return weights;
}

std::vector<double> WeightComposition::compose_gradient(std::span<const double> logits, std::size_t clauses,
                                                        std::span<const double> weight_gradient) const {
    check(*this, logits, clauses);
    if (weight_gradient.size() != clauses)
        throw ReasonError(fmt::format("gradients of {} weights given for {} clauses", weight_gradient.size(), clauses));
    const std::vector<double> chosen = softmax_rows(logits, clauses);
    std::vector<double> gradient(logits.size());  // by the probabilities of the slots, then by the logits
    for_each_clause(*this, chosen, clauses, [&](std::size_t k, std::span<const double> given, double either) {
        for (std::size_t m = 0; m < given.size(); ++m)
            gradient[m * clauses + k] = weight_gradient[k] * formulas::log_sum_exp_share(gamma, given[m], either);
    });
    for (std::size_t row = 0; row < logits.size(); row += clauses) {
        const std::span<const double> p = std::span(chosen).subspan(row, clauses);
        const std::span<double> g = std::span(gradient).subspan(row, clauses);
        const double mean = std::inner_product(p.begin(), p.end(), g.begin(), 0.0);
        for (std::size_t k = 0; k < clauses; ++k) g[k] = p[k] * (g[k] - mean);
    }
    return gradient;
}

}  // namespace neumann
