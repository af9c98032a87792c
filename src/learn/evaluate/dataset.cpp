#include "learn/evaluate/dataset.h"

#include <algorithm>
#include <cmath>

namespace neumann {

Dataset::Dataset(const LearningProblem& problem, const ExampleSet& set) {
    for (const LabelledExample& example : set.examples) {
        add_inputs(problem, example);
        for (const Example::Target& target : example.targets) {
            targets_.push_back({problem.atom(target.atom), target.positive});
            positives_ += target.positive ? 1 : 0;
        }
        target_begin_.push_back(targets_.size());
    }
}

Dataset::Dataset(const LearningProblem& problem, std::span<const LabelledExample> examples,
                 std::span<const std::uint32_t> asked) {
    for (const LabelledExample& example : examples) {
        add_inputs(problem, example);
        for (const std::uint32_t atom : asked) targets_.push_back({atom, false});
        target_begin_.push_back(targets_.size());
    }
}

void Dataset::add_inputs(const LearningProblem& problem, const LabelledExample& example) {
    for (const AtomValue& input : example.inputs) {
        const std::uint32_t atom = problem.atom(input.atom);
        if (atom != LearningProblem::no_atom_number) inputs_.push_back({atom, input.value});
    }
    input_begin_.push_back(inputs_.size());
}

std::vector<double> balanced_weights(const Dataset& data, double negative_share, std::span<const std::uint32_t> order) {
    const std::size_t negatives = data.target_count() - data.positives();
    const bool both = data.positives() > 0 && negatives > 0;
    const double of_positive = (both ? 0.5 : 1.0) / static_cast<double>(std::max<std::size_t>(1, data.positives()));
    const double of_negative = (both ? 0.5 : 1.0) / static_cast<double>(std::max<std::size_t>(1, negatives));
    std::vector<double> weights(data.target_count(), 0.0);
    auto left =
        static_cast<std::size_t>(std::ceil(static_cast<double>(negatives) * std::clamp(negative_share, 0.0, 1.0)));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::size_t t = order.empty() ? i : order[i];
        if (data.target(t).positive) {
            weights[t] = of_positive;
        } else if (left > 0) {
            weights[t] = of_negative;
            --left;
        }
    }
    return weights;
}

double accuracy(const Dataset& data, std::span<const float> values, double threshold) {
    if (values.empty()) return 0;
    std::size_t right = 0;
    for (std::size_t t = 0; t < values.size(); ++t)
        right += (static_cast<double>(values[t]) >= threshold) == data.target(t).positive ? 1 : 0;
    return static_cast<double>(right) / static_cast<double>(values.size());
}

double mean_loss(const Dataset& data, std::span<const float> values, std::span<const double> weights,
                 const CrossEntropy& loss) {
    double sum = 0;
    double total = 0;
    for (std::size_t t = 0; t < values.size(); ++t) {
        if (weights[t] == 0) continue;
        sum += weights[t] * loss.loss(static_cast<double>(values[t]), data.target(t).positive);
        total += weights[t];
    }
    return total > 0 ? sum / total : 0;
}

}  // namespace neumann
