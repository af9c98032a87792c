#include "resolution/fold_collections.h"

#include <array>
#include <string_view>

#include "resolution/tabling.h"

namespace neumann::resolution {
namespace {

struct Taker {
    std::string_view name;
    std::string_view function;
};
constexpr std::array<Taker, 5> takers = {
    {{"length", "count"}, {"sum_list", "sum"}, {"sumlist", "sum"}, {"max_list", "max"}, {"min_list", "min"}}};

class Folding {
public:
    explicit Folding(Rules& rules) : rules_(rules), terms_(rules.terms) {}

    void fold(Rule& rule) {
        std::vector<Term> goals;
        add_goals(rule.body, goals);
        bool changed = false;
        for (std::size_t g = 0; g + 1 < goals.size(); ++g) {
            const Term folded = together(rule, goals[g], goals[g + 1]);
            if (folded == no_term) continue;
            goals[g] = folded;
            goals.erase(goals.begin() + static_cast<std::ptrdiff_t>(g) + 1);
            changed = true;
        }
        if (!changed) return;
        rule.body = goals.back();
        for (std::size_t g = goals.size() - 1; g-- > 0;)
            rule.body = terms_.compound(",", std::array{goals[g], rule.body});
    }

private:
    void add_goals(Term body, std::vector<Term>& goals) const {
        while (terms_.is(body, ",", 2)) {
            add_goals(terms_.args(body)[0], goals);
            body = terms_.args(body)[1];
        }
        goals.push_back(body);
    }

    Term together(const Rule& rule, Term collected, Term taken) {
        if (!terms_.is(collected, "findall", 3) || !terms_.is_callable(taken)) return no_term;
        const std::vector<Term> args(terms_.args(collected).begin(), terms_.args(collected).end());
        if (!terms_.is_variable(args[2]) || terms_.args(taken).size() != 2 || terms_.args(taken)[0] != args[2])
            return no_term;
        const Term result = terms_.args(taken)[1];
        for (const auto& [name, function] : takers) {
            if (terms_.name(taken) != name || !is_library({std::string(name), 2})) continue;
            if (occurrences(rule, args[2]) != 2) return no_term;
            return terms_.compound(fold_all, std::array{terms_.constant(function), args[0], args[1], result});
        }
        return no_term;
    }

    bool is_library(const Indicator& indicator) const {
        const auto found = rules_.by_head.find(indicator);
        return found == rules_.by_head.end() || rules_.rules[found->second.front().first].span.is_none();
    }

    std::size_t occurrences(const Rule& rule, Term variable) const {
        std::size_t count = count_in(rule.body, variable);
        for (const Head& head : rule.heads) {
            count += count_in(head.atom, variable);
            if (head.weight != no_term) count += count_in(head.weight, variable);
        }
        return count;
    }
    std::size_t count_in(Term term, Term variable) const {
        if (term == variable) return 1;
        if (terms_.is_variable(term) || terms_.is_ground(term)) return 0;
        std::size_t count = 0;
        for (const Term arg : terms_.args(term)) count += count_in(arg, variable);
        return count;
    }

    Rules& rules_;
    Terms& terms_;
};

}  // namespace

void fold_collections(Rules& rules) {
    Folding folding(rules);
    for (Rule& rule : rules.rules) folding.fold(rule);
}

}  // namespace neumann::resolution
