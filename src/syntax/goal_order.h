// Goals that depend on their order in Prolog: conditions and negations whose variables are not bound before them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/source.h"

namespace neumann::syntax {

struct OrderedGoal {
    Span span;
    // Its variables stand in the head, and no goal binds them: a call has to.
    bool by_call = false;
};

// The goals of a ProbLog program that have another meaning in a language without an order of goals, and heads with
// variables that their bodies do not bind. Constants that are no constants of the language, "text" and '1', count too.
std::vector<OrderedGoal> find_ordered_goals(const SourceSet& sources, std::uint32_t file);

}  // namespace neumann::syntax
