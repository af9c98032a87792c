// Rules of a Popper bias, which is an answer set program, as clauses that Prolog evaluates: declarations of predicates,
// and constraints over the facts of candidate clauses.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"
#include "resolution/rules.h"

namespace neumann::search {

// A constraint: `:- body.` It is violated where the goal of this rule holds.
struct BiasConstraint {
    resolution::Term goal = resolution::no_term;
    Span span;
};

struct BiasRules {
    resolution::Rules rules;
    std::vector<BiasConstraint> constraints;
};

// Reports what is none of the forms that are understood, with its place.
BiasRules read_bias_rules(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics);

}  // namespace neumann::search
