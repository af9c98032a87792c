#include "ground/strata.h"

#include "base/components.h"

namespace neumann {

Strata stratify(std::size_t predicates, const std::vector<Rule>& rules) {
    std::vector<std::vector<std::uint32_t>> depends(predicates);
    for (const Rule& rule : rules) {
        for (const RuleAtom& goal : rule.body) depends[rule.head.predicate.index()].push_back(goal.predicate.value());
    }
    const Components components = find_components(
        static_cast<std::uint32_t>(predicates), [&](std::uint32_t p) -> const auto& { return depends[p]; });
    Strata strata;
    strata.order.resize(components.count);
    for (std::size_t p = 0; p < predicates; ++p) {
        strata.stratum_of.push_back(components.component[p]);
        strata.order[components.component[p]].predicates.push_back(PredicateId(static_cast<std::uint32_t>(p)));
    }
    for (std::uint32_t r = 0; r < rules.size(); ++r) {
        strata.order[strata.stratum_of[rules[r].head.predicate.index()]].rules.push_back(r);
    }
    return strata;
}

std::vector<bool> needed_predicates(std::size_t predicates, const std::vector<Rule>& rules,
                                    const std::vector<PredicateId>& asked) {
    std::vector<bool> needed(predicates, false);
    for (PredicateId p : asked) needed[p.index()] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Rule& rule : rules) {
            if (!needed[rule.head.predicate.index()]) continue;
            for (const RuleAtom& goal : rule.body) {
                changed = changed || !needed[goal.predicate.index()];
                needed[goal.predicate.index()] = true;
            }
        }
    }
    return needed;
}

}  // namespace neumann
