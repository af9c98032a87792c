#include "ground/strata.h"

#include <utility>

namespace neumann {

DependencyGraph dependencies_of(std::size_t predicates, const std::vector<Rule>& rules) {
    std::vector<Dependency> dependencies;
    for (const Rule& rule : rules) {
        for (const RuleAtom& goal : rule.body)
            dependencies.push_back({rule.head.predicate, goal.predicate, goal.negated, rule.clause});
    }
    return {predicates, std::move(dependencies)};
}

Strata stratify(const DependencyGraph& dependencies, std::size_t predicates, const std::vector<Rule>& rules) {
    Strata strata;
    strata.order.resize(dependencies.component_count());
    for (std::uint32_t p = 0; p < predicates; ++p) {
        strata.stratum_of.push_back(dependencies.component(PredicateId(p)));
        strata.order[strata.stratum_of[p]].predicates.emplace_back(p);
    }
    for (std::uint32_t r = 0; r < rules.size(); ++r) {
        strata.order[strata.stratum_of[rules[r].head.predicate.index()]].rules.push_back(r);
    }
    return strata;
}

}  // namespace neumann
