#include "learn/probabilities/parameter_logits.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace neumann {

ParameterLogits::ParameterLogits(const std::vector<ParameterGroup>& groups, std::span<const double> weights)
    : groups_(groups) {
    for (const ParameterGroup& group : groups_) {
        double none = 1 - group.fixed;
        for (const std::uint32_t clause : group.clauses) {
            values_.push_back(std::log(weights[clause]));
            none -= weights[clause];
        }
        values_.push_back(none > least_none ? std::log(none) : -std::numeric_limits<double>::infinity());
    }
}

void ParameterLogits::put_into(std::vector<double>& weights) const {
    std::size_t first = 0;
    for (const ParameterGroup& group : groups_) {
        const std::vector<double> share = shares(group, first);
        for (std::size_t i = 0; i < group.clauses.size(); ++i) weights[group.clauses[i]] = (1 - group.fixed) * share[i];
        first += share.size();
    }
}

std::vector<double> ParameterLogits::count_gradient(std::span<const double> counted, std::span<const double> none,
                                                    std::size_t examples) const {
    std::vector<double> result;
    for (const ParameterGroup& group : groups_) {
        const std::vector<double> share = shares(group, result.size());
        double all = none[group.clauses[0]];
        for (const std::uint32_t clause : group.clauses) all += counted[clause];
        for (std::size_t i = 0; i < share.size(); ++i) {
            const bool is_none = i == group.clauses.size();
            const double own = is_none ? none[group.clauses[0]] : counted[group.clauses[i]];
            result.push_back((share[i] * all - own) / static_cast<double>(examples));
        }
    }
    return result;
}

std::vector<double> ParameterLogits::weight_gradient(std::span<const double> by_weight) const {
    std::vector<double> result;
    for (const ParameterGroup& group : groups_) {
        const std::vector<double> share = shares(group, result.size());
        double mean = 0;  // none of them has weight 0, for any logits
        for (std::size_t i = 0; i < group.clauses.size(); ++i) mean += share[i] * by_weight[group.clauses[i]];
        for (std::size_t i = 0; i < share.size(); ++i) {
            const double own = i == group.clauses.size() ? 0 : by_weight[group.clauses[i]];
            result.push_back((1 - group.fixed) * share[i] * (own - mean));
        }
    }
    return result;
}

std::vector<double> ParameterLogits::shares(const ParameterGroup& group, std::size_t first) const {
    const std::span<const double> own = std::span(values_).subspan(first, group.clauses.size() + 1);
    const double largest = *std::ranges::max_element(own);
    std::vector<double> result;
    double sum = 0;
    for (const double value : own) sum += result.emplace_back(std::exp(value - largest));
    for (double& share : result) share /= sum;
    return result;
}

}  // namespace neumann
