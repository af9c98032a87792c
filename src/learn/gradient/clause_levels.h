// Branch and bound over single clauses: every clause of the language that could be the best one, goal by goal.
//
// A specialisation covers no example that the clause does not cover. So a clause that misses more positive labels than
// the best one has wrong labels cannot lead to a better one, and is not refined. (Exact for crisp values. Of
// probabilities, the soft-or of more instances may lift a value over one half, by γ·ln of their number at most.)
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "learn/evaluate/judge.h"

namespace neumann {

struct LevelLimits {
    std::uint64_t allowed_errors = 0;  // clauses with at most so many wrong labels are wanted, too
    std::uint64_t most_clauses = 0;    // that are judged before it gives up
};

struct LevelResult {
    // Candidates: the one with the fewest wrong labels, of those the cheapest; none if no clause has an instance.
    std::vector<std::uint32_t> best;
    std::vector<std::uint32_t>
        allowed;  // with at most the allowed errors and as many goals as the best, the best first
    std::uint64_t judged = 0;
    bool complete = true;
};

// `known` is a program that a clause must be better than, or as good as it and cheaper.
LevelResult search_levels(LearningProblem& problem, Refiner& refiner, Judge& judge,
                          const std::vector<SearchClause>& start, const std::vector<std::uint32_t>& known,
                          const LevelLimits& limits);

}  // namespace neumann
