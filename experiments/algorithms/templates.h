// Clauses by templates, as ∂ILP has them: all of at most two goals, without constants and functors, and which pairs of
// them a predicate may be defined by.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "learn/evaluate/problem.h"

namespace neumann {

struct TemplateClauses {
    std::vector<std::uint32_t> candidates;
    // Places in `candidates`, those of each learned predicate one after the other: a clause without learned predicates
    // in its body and one that may have them; of a predicate of one clause, each with itself.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    std::vector<std::size_t> pairs_of_target;  // how many each learned predicate has
};

// Throws LearnError if a predicate is to have more than two clauses, or if there are none or too many pairs.
TemplateClauses template_clauses(LearningProblem& problem, const SearchLanguage& language,
                                 const std::vector<std::uint32_t>& clauses_of_target);

}  // namespace neumann
