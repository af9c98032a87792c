// Learned probabilities as unbounded logits: a softmax for each group of outcomes that exclude each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neumann {

// Outcomes that exclude each other, and that none of them comes about.
struct ParameterGroup {
    std::vector<std::uint32_t> clauses;  // whose probabilities are learned
    double fixed = 0;                    // the sum of the fixed ones
};

// A softmax for each group over its clauses and no outcome. A probability of 0 stays 0.
class ParameterLogits {
public:
    // Borrows the groups.
    ParameterLogits(const std::vector<ParameterGroup>& groups, std::span<const double> weights);

    std::span<double> values() { return values_; }
    void put_into(std::vector<double>& weights) const;

    // Of minus the mean log-likelihood, from expected counts: compares expected and observed counts.
    // Both are per clause; `none` counts how often no clause of its group was chosen.
    std::vector<double> count_gradient(std::span<const double> counted, std::span<const double> none,
                                       std::size_t examples) const;
    // Of a loss, from its gradient by the weights.
    std::vector<double> weight_gradient(std::span<const double> by_weight) const;

private:
    static constexpr double least_none = 1e-12;  // less is rounding

    std::vector<double> shares(const ParameterGroup& group, std::size_t first) const;

    const std::vector<ParameterGroup>& groups_;
    std::vector<double> values_;
};

}  // namespace neumann
