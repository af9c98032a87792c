#include "learn/evaluate/score.h"

#include <algorithm>
#include <cmath>

#include "learn/evaluate/clause.h"

namespace neumann::search {
namespace {

constexpr double decides_ties = 1e-9;  // of a literal, where wrong labels alone count

double bits_of_choice(double n, double k) {
    return (std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)) / std::log(2.0);
}

// The number of exceptions among n labels, and which they are. More than half of them cost a bit each, so that it is
// never better to be wrong.
double bits_of_exceptions(std::size_t labels, std::size_t exceptions) {
    const auto n = static_cast<double>(labels);
    const auto k = static_cast<double>(exceptions);
    const double few = std::min(k, std::floor(n / 2));
    return std::log2(n + 1) + bits_of_choice(n, few) + (k - few);
}

// A goal's predicate, and a variable for each of its arguments.
double bits_of(const Bias& bias) {
    double arguments = static_cast<double>(bias.arity());
    for (const Predicate& one : bias.body) arguments += static_cast<double>(one.types.size());
    const auto goals = static_cast<double>(bias.body.size() + 1);
    return std::log2(goals) + arguments / goals * std::log2(std::max(2.0, static_cast<double>(bias.most_variables)));
}

}  // namespace

Score::Score(ScoreKind kind, const Bias& bias, std::size_t positives, std::size_t negatives)
    : kind_(kind), positives_(positives), negatives_(negatives) {
    const auto labels = static_cast<double>(std::max<std::size_t>(2, positives + negatives));
    if (kind == ScoreKind::Mdl) bits_of_literal_ = 0.5 * std::log2(labels);
    if (kind == ScoreKind::Mml) bits_of_literal_ = bits_of(bias);
}

double Score::cost(std::size_t literals, std::size_t false_positives, std::size_t false_negatives) const {
    const auto size = static_cast<double>(literals);
    const auto wrong = static_cast<double>(false_positives + false_negatives);
    const std::size_t true_positives = positives_ - std::min(positives_, false_negatives);
    switch (kind_) {
    case ScoreKind::Training:
        return wrong + decides_ties * size;
    case ScoreKind::F1: {
        const double twice = 2 * static_cast<double>(true_positives);
        return (twice > 0 ? wrong / (twice + wrong) : 1) + decides_ties * size;
    }
    case ScoreKind::Mdl: {
        const std::size_t covered = true_positives + false_positives;
        const std::size_t others = positives_ + negatives_ - std::min(positives_ + negatives_, covered);
        return bits_of_exceptions(covered, false_positives) + bits_of_exceptions(others, false_negatives) +
               bits_of_literal_ * size;
    }
    case ScoreKind::Mml:
        return bits_of_exceptions(positives_ + negatives_, false_positives + false_negatives) + bits_of_literal_ * size;
    case ScoreKind::Literals:
        break;
    }
    return size + wrong;
}

}  // namespace neumann::search
