// The order in which predicates can be grounded: those that depend on each other together, after all they depend on.
#pragma once

#include <vector>

#include "ground/rule.h"

namespace neumann {

struct Stratum {
    std::vector<std::uint32_t> rules;  // whose heads belong to it
    std::vector<PredicateId> predicates;
};

struct Strata {
    std::vector<Stratum> order;
    std::vector<std::uint32_t> stratum_of;  // per predicate
};

Strata stratify(std::size_t predicates, const std::vector<Rule>& rules);

// Per predicate: whether one of the given ones depends on it, itself included.
std::vector<bool> needed_predicates(std::size_t predicates, const std::vector<Rule>& rules,
                                    const std::vector<PredicateId>& asked);

}  // namespace neumann
