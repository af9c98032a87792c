// Score of a program on labels, by its literals and its wrong labels: less is better.
#pragma once

#include <cstddef>

#include <neumann/learn_options.h>

namespace neumann::search {

struct Bias;

class Score {
public:
    Score() = default;
    Score(ScoreKind kind, const Bias& bias, std::size_t positives, std::size_t negatives);

    double cost(std::size_t literals, std::size_t false_positives, std::size_t false_negatives) const;
    // A clause that would stay in a program which is right on all other labels.
    bool pays(std::size_t literals, std::size_t positives, std::size_t negatives) const {
        return cost(literals, negatives, 0) < cost(0, 0, positives);
    }
    // The cost alone decides; else a program that is right comes before all that are not.
    bool alone() const { return kind_ != ScoreKind::Literals; }

private:
    ScoreKind kind_ = ScoreKind::Literals;
    std::size_t positives_ = 0;
    std::size_t negatives_ = 0;
    double bits_of_literal_ = 0;
};

}  // namespace neumann::search
