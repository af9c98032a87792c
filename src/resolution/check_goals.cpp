#include "resolution/check_goals.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/suggest.h"
#include "resolution/built_ins.h"
#include "syntax/refused.h"

namespace neumann::resolution {

void add_goals(const Terms& terms, Term body, std::vector<Term>& goals) {
    if (!terms.is_callable(body)) return;
    const std::span<const Term> args = terms.args(body);
    const auto is = [&](std::string_view name, std::size_t arity) { return terms.is(body, name, arity); };
    if (is(",", 2) || is(";", 2) || is("->", 2) || is("*->", 2) || is("forall", 2)) {
        add_goals(terms, args[0], goals);
        add_goals(terms, args[1], goals);
    } else if (is("\\+", 1) || is("not", 1) || is("call", 1) || is("once", 1) || is("ignore", 1) || is("catch", 3)) {
        add_goals(terms, args[0], goals);
    } else if (is("findall", 3) || is("findall", 4) || is("setof", 3) || is("bagof", 3) || is("aggregate_all", 3)) {
        Term goal = args[1];
        while (terms.is(goal, "^", 2)) goal = terms.args(goal)[1];
        add_goals(terms, goal, goals);
        if (!is("findall", 3)) goals.push_back(body);
    } else if (terms.name(body) != "call" && !is("!", 0)) {
        goals.push_back(body);
    }
}

namespace {

struct Meta {
    std::string_view name;
    std::size_t arity;
    std::vector<std::size_t> goals;  // which arguments are called
};

// Predicates of tabling, and those of the library that call an argument.
const std::vector<Meta>& meta_predicates() {
    static const std::vector<Meta> all = {
        {",", 2, {0, 1}},      {";", 2, {0, 1}},     {"->", 2, {0, 1}},    {"*->", 2, {0, 1}},
        {"forall", 2, {0, 1}}, {"\\+", 1, {0}},      {"not", 1, {0}},      {"call", 1, {0}},
        {"once", 1, {0}},      {"findall", 3, {1}},  {"all", 3, {1}},      {"all_or_none", 3, {1}},
        {"subquery", 2, {0}},  {"subquery", 3, {0}}, {"possible", 1, {0}}, {"aggregate_all", 3, {1}},
        {"aggregate", 5, {3}}, {"=>", 2, {0}},       {"clause", 2, {}},    {"cut", 1, {}},
        {"cut", 2, {}},        {"fold all", 4, {2}},
    };
    return all;
}

// Goals within a body, including the inner goals of meta-predicates such as findall.
void add_called_goals(const Rules& rules, Term body, std::vector<Term>& goals) {
    const Terms& terms = rules.terms;
    if (!terms.is_callable(body)) return;
    const bool own = rules.defines(rules.indicator(body)) && !terms.is(body, "aggregate_all", 3) &&
                     !terms.is(body, "aggregate", 5) && !terms.is(body, "=>", 2);
    for (const Meta& one : meta_predicates()) {
        if (own || !terms.is(body, one.name, one.arity)) continue;
        for (const std::size_t goal : one.goals) add_called_goals(rules, terms.args(body)[goal], goals);
        return;
    }
    const bool calls = terms.name(body) == "call" || terms.name(body) == "try_call";
    if (!calls || terms.args(body).empty()) goals.push_back(body);
}

// Within the rule.
Span place_of(const Rules& rules, const Rule& rule, const Indicator& indicator) {
    const auto found = std::ranges::find_if(rules.names, [&](const WrittenName& name) {
        return name.name == indicator.first && name.arity == indicator.second && name.span.file == rule.span.file &&
               name.span.begin >= rule.span.begin && name.span.end <= rule.span.end;
    });
    return found == rules.names.end() ? rule.span : found->span;
}

void report_unknown(const Rules& rules, const Indicator& indicator, Span place, Diagnostics& diagnostics) {
    const auto& [name, arity] = indicator;
    if (const std::string_view advice = syntax::advice_without(name, arity); !advice.empty())
        return diagnostics.report(codes::unsupported, place, fmt::format("ProbLog's '{}/{}' is not there", name, arity),
                                  std::string(advice));
    std::vector<std::string> known;
    for (const auto& [one, places] : rules.by_head) {
        const bool own = std::ranges::any_of(places, [&](auto at) { return !rules.rules[at.first].span.is_none(); });
        if (own && one.first != "query" && one.first != "evidence")
            known.push_back(fmt::format("{}/{}", one.first, one.second));
    }
    const std::string text = fmt::format("{}/{}", name, arity);
    diagnostics.report(codes::unknown_predicate, place, fmt::format("unknown predicate '{}'", text),
                       fmt::format("it has no facts and no clauses; {}, or declare it: :- dynamic {}.",
                                   did_you_mean_or_list(text, known), text));
}

}  // namespace

void check_goals(const Rules& rules, Diagnostics& diagnostics) {
    for (const Rule& rule : rules.rules) {
        if (rule.span.is_none()) continue;
        std::vector<Term> goals;
        add_called_goals(rules, rule.body, goals);
        const Term head = rule.heads[0].atom;
        const bool task = rules.terms.is(head, "query", 1) || rules.terms.is(head, "evidence", 1) ||
                          rules.terms.is(head, "evidence", 2);
        if (task) add_called_goals(rules, rules.terms.args(head)[0], goals);
        for (const Term goal : goals) {
            const Indicator indicator = rules.indicator(goal);
            if (rules.defines(indicator) || is_built_in(rules.terms, goal)) continue;
            report_unknown(rules, indicator, place_of(rules, rule, indicator), diagnostics);
        }
    }
}

}  // namespace neumann::resolution
