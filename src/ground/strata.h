// Order of grounding: predicates that depend on each other together, after all their dependencies.
#pragma once

#include <vector>

#include "ground/rule.h"
#include "logic/dependencies.h"

namespace neumann {

struct Stratum {
    std::vector<std::uint32_t> rules;  // whose heads belong to it
    std::vector<PredicateId> predicates;
};

struct Strata {
    std::vector<Stratum> order;
    std::vector<std::uint32_t> stratum_of;  // per predicate
};

// Through rules; those of clauses without instances are left out.
DependencyGraph dependencies_of(std::size_t predicates, const std::vector<Rule>& rules);

Strata stratify(const DependencyGraph& dependencies, std::size_t predicates, const std::vector<Rule>& rules);

}  // namespace neumann
