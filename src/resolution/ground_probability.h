// Exact probabilities of ground rules, for goals that ask for probabilities while a program is resolved (subquery/2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "resolution/ground_rules.h"

namespace neumann::resolution {

// Of each query, given the evidence. Throws GoalError for evidence of probability 0, a cycle through negation, and
// problems that are too large.
std::vector<double> probabilities(const GroundRules& ground);

// What it is worth that a literal holds.
struct Utility {
    GroundLiteral literal;
    double value = 0;
};

// The strategy with the largest expected utility.
struct Strategy {
    std::vector<std::uint32_t> taken;  // instances of decisions
    double score = 0;
};

// By exact search: decisions come first in the diagrams of the utilities, and what follows from the same diagrams is
// computed once. Of equally good decisions the one not to act is taken. Throws GoalError for too large problems.
Strategy best_strategy(const GroundRules& ground, std::span<const Utility> utilities);

// Whether one of the first instances holds in the same worlds as one of the others.
bool are_equivalent(const GroundRules& ground, std::span<const std::uint32_t> some,
                    std::span<const std::uint32_t> others);

}  // namespace neumann::resolution
