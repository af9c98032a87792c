// Refinements of a clause by one goal: every goal that types, directions and limits allow.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "learn/evaluate/clause.h"
#include "learn/evaluate/work.h"

namespace neumann::search {

// Goals that can be added, those with fewer new variables first for each predicate. A goal shares a variable with the
// clause, unless it makes a value from nothing, as a predicate with one output does. `own`: goals of the head's own
// predicate, too.
std::vector<Literal> refinements(const Clause& clause, const Bias& bias, bool own);

// The clause with the goal.
Clause with_goal(const Clause& clause, const Literal& goal, const Bias& bias);

struct FormHash {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& key) const { return key.first; }
};
using SeenForms = std::unordered_set<std::pair<std::uint64_t, std::uint64_t>, FormHash>;  // fingerprints

// The canonical form of the clause with the goal. Nothing if it was seen before.
std::optional<Clause> new_form(const Clause& clause, const Literal& goal, const Bias& bias, SeenForms& seen,
                               Work& work);

// Whether all of the head's variables occur in the body, all goals are connected with the head, and other goals bind
// all compared or negated variables.
bool is_whole(const Clause& clause, const Bias& bias);

}  // namespace neumann::search
