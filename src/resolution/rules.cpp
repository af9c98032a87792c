#include "resolution/rules.h"

#include <array>
#include <span>

namespace neumann::resolution {

void Rules::add(Rule rule) {
    const auto number = static_cast<std::uint32_t>(rules.size());
    for (std::uint32_t h = 0; h < rule.heads.size(); ++h)
        by_head[indicator(rule.heads[h].atom)].emplace_back(number, h);
    rules.push_back(std::move(rule));
}

void Rules::split_negated() {
    for (const auto& [name, arity] : negated) {
        const std::string positive = "has " + name;
        auto heads = by_head.extract({name, arity});
        if (heads.empty()) {
            declared.insert({positive, arity});
        } else {
            for (const auto& [rule, head] : heads.mapped()) {
                const std::span<const Term> given = terms.args(rules[rule].heads[head].atom);
                const std::vector<Term> args(given.begin(), given.end());
                rules[rule].heads[head].atom = terms.compound(positive, args);
            }
            heads.key() = {positive, arity};
            by_head.insert(std::move(heads));
        }
        std::vector<Term> variables;
        for (std::uint32_t v = 0; v < arity; ++v) variables.push_back(terms.variable(v));
        const Term against = terms.compound("\\+", std::array{terms.compound(negated_name(name), variables)});
        const Term body = terms.compound(",", std::array{terms.compound(positive, variables), against});
        add({{{no_term, terms.compound(name, variables)}}, body, static_cast<std::uint32_t>(arity), {}});
    }
}

std::vector<bool> Rules::shared_variables(const Rule& rule) const {
    std::vector<bool> shared(rule.variables, false);
    const auto add = [&](auto&& self, Term term) -> void {
        if (terms.is_variable(term)) {
            shared[terms.index(term)] = true;
        } else if (terms.is(term, "findall", 3) || terms.is(term, "all", 3) || terms.is(term, "all_or_none", 3) ||
                   terms.is(term, "aggregate_all", 3)) {
            self(self, terms.args(term)[2]);
        } else if (terms.is(term, "fold all", 4)) {
            self(self, terms.args(term)[3]);
        } else if (!terms.is_ground(term) && !terms.is(term, "\\+", 1) && !terms.is(term, "not", 1) &&
                   !terms.is(term, "forall", 2)) {
            for (const Term arg : terms.args(term)) self(self, arg);
        }
    };
    for (const Head& head : rule.heads) {
        add(add, head.atom);
        if (head.weight != no_term) add(add, head.weight);
    }
    add(add, rule.body);
    return shared;
}

}  // namespace neumann::resolution
