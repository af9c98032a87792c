// Aggregates of answer set programs. Those are about sets of tuples, ours about the instances of a goal: where the two
// are not the same, the tuples become a predicate.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "interchange/asp_rule_text.h"
#include "logic/print.h"

namespace neumann::interchange {
namespace {

using Kind = AspTerm::Kind;

void add_plain_of(const std::vector<AspLiteral>& literals, std::set<std::string>& names) {
    for (const AspLiteral& one : literals) {
        if (one.kind == AspLiteral::Kind::Atom && one.negations == 0) add_plain_variables(one.atom, names);
    }
}

void add_element_variables(const AspElement& element, std::set<std::string>& names) {
    for (const AspTerm& term : element.tuple) add_variables(term, names);
    for (const AspLiteral& one : element.condition) add_variables(one, names);
}

// Of nothing the smallest is larger than all, the largest smaller; ours is none.
bool holds_of_nothing(const std::string& function, const std::string& relation) {
    if (relation == "!=") return true;
    return function == "min" ? relation.starts_with('>') : relation.starts_with('<');
}

}  // namespace

AspRuleText::Names AspRuleText::shared_of(const AspElement& element) const {
    Names names;
    add_element_variables(element, names);
    std::erase_if(names, [&](const std::string& name) { return !globals_.contains(name); });
    return names;
}

AspRuleText::Names AspRuleText::locals_of(const AspElement& element) const {
    Names names;
    add_element_variables(element, names);
    std::erase_if(names, [&](const std::string& name) { return globals_.contains(name); });
    return names;
}

// Whether the instances of its condition are its tuples, one for each.
bool AspRuleText::is_direct(const AspLiteral& literal) const {
    if (literal.elements.size() != 1 || literal.elements[0].condition.empty()) return false;
    const AspElement& element = literal.elements[0];
    Names given;
    add_plain_of(element.condition, given);
    if (!std::ranges::includes(given, shared_of(element))) return false;
    if (literal.function == "min" || literal.function == "max") return true;  // twice the same changes nothing
    Names told;
    for (const AspTerm& term : element.tuple) add_plain_variables(term, told);
    return std::ranges::includes(told, locals_of(element)) && !given.contains("_");
}

AspRuleText::Instances AspRuleText::direct_instances(const AspLiteral& one) {
    const AspElement& element = one.elements[0];
    Scope outside = enter(locals_of(element));
    find_bound(element.condition);
    Goals goals;
    for (const AspLiteral& each : element.condition) literal(each, goals);
    require_bound(locals_of(element), one.span);
    Instances instances{joined(goals), one.function == "count" ? "" : expression(element.tuple[0])};
    leave(std::move(outside));
    return instances;
}

AspRuleText::Instances AspRuleText::auxiliary_instances(const AspLiteral& literal) {
    Names shared;
    for (const AspElement& element : literal.elements) {
        shared.merge(shared_of(element));
        if (element.tuple.size() != literal.elements[0].tuple.size())
            refuse(element.tuple[0].span, "tuples of different lengths in one aggregate", "fill up the shorter ones");
    }
    const std::string name = symbols_.fresh_predicate(fmt::format("{}_{}", rule_.head.text, literal.function));
    std::vector<std::string> args;
    for (const std::string& one : shared) args.push_back(variable(one));
    for (const AspElement& element : literal.elements) auxiliaries_.push_back(auxiliary_clause(element, name, shared));
    std::string weight;
    for (std::size_t i = 0; i < literal.elements[0].tuple.size(); ++i) {
        args.push_back(fresh());
        if (i == 0 && literal.function != "count") weight = args.back();
    }
    return {fmt::format("{}({})", quote_name(name), fmt::join(args, ",")), weight};
}

// A tuple of the aggregate for the shared variables. If the element does not bind them, the rule does.
std::string AspRuleText::auxiliary_clause(const AspElement& element, const std::string& name, const Names& shared) {
    Names given;
    add_plain_of(element.condition, given);
    Goals goals;
    if (!std::ranges::includes(given, shared)) given.merge(add_binding_goals(goals));
    if (!std::ranges::includes(given, shared))
        refuse(element.tuple[0].span, "a number of one aggregate inside another",
               "give the first one a rule of its own");
    std::vector<std::string> args;
    for (const std::string& one : shared) args.push_back(variable(one));
    Scope outside = enter(locals_of(element));
    find_bound(element.condition);
    for (const AspLiteral& one : element.condition) literal(one, goals);
    require_bound(locals_of(element), element.tuple[0].span);
    for (const AspTerm& one : element.tuple) args.push_back(term(one, goals, Binds::No));
    leave(std::move(outside));
    const std::string head = fmt::format("{}({})", quote_name(name), fmt::join(args, ","));
    return goals.empty() ? head + "." : fmt::format("{} :- {}.", head, fmt::join(goals, ", "));
}

// The goals of the rule that give variables their values, but for aggregates; and these variables.
AspRuleText::Names AspRuleText::add_binding_goals(Goals& goals) {
    std::vector<AspLiteral> binding;
    std::ranges::copy_if(rule_.body, std::back_inserter(binding), [](const AspLiteral& one) {
        const bool equation = one.kind == AspLiteral::Kind::Comparison && one.comparison.relation == "=";
        return one.negations == 0 && (one.kind == AspLiteral::Kind::Atom || equation);
    });
    Scope whole{std::exchange(bound_, {}), names_};
    find_bound(binding);
    std::erase_if(binding, [&](const AspLiteral& one) {
        return one.kind == AspLiteral::Kind::Comparison &&
               !(is_bound(one.comparison.left) && is_bound(one.comparison.right));
    });
    for (const AspLiteral& one : binding) literal(one, goals);
    Names given = bound_;
    leave(std::move(whole));
    return given;
}

// #min{ X ; 3 } is the smaller one of two numbers.
std::optional<std::string> AspRuleText::smallest_or_largest(const AspLiteral& literal) {
    const bool numbers = std::ranges::all_of(literal.elements, [](const AspElement& element) {
        return element.condition.empty() && element.tuple.size() == 1;
    });
    if (!numbers || literal.function == "count" || literal.function == "sum") return std::nullopt;
    std::string text = expression(literal.elements[0].tuple[0]);
    for (std::size_t i = 1; i < literal.elements.size(); ++i)
        text = fmt::format("{}({},{})", literal.function, text, expression(literal.elements[i].tuple[0]));
    return text;
}

void AspRuleText::aggregate(const AspLiteral& literal, Goals& goals) {
    if (literal.elements.empty())
        return refuse(literal.span, "an aggregate of nothing", "leave it out: of nothing the count and the sum are 0");
    std::vector<AspGuard> guards = literal.guards;
    if (literal.negations % 2 == 1) {
        for (AspGuard& one : guards) one.relation = complement(one.relation);
    }
    if (const std::optional<std::string> value = smallest_or_largest(literal)) {
        for (const AspGuard& one : guards) {
            const bool assigns = one.relation == "=" && one.term.kind == Kind::Variable;
            goals.push_back(assigns
                                ? fmt::format("{} is {}", expression(one.term), *value)
                                : fmt::format("{} {} {}", *value, our_relation(one.relation), expression(one.term)));
        }
        return;
    }
    const bool extreme = literal.function == "min" || literal.function == "max";
    const bool nothing = extreme && std::ranges::all_of(guards, [&](const AspGuard& one) {
                             return holds_of_nothing(literal.function, one.relation);
                         });
    if (guards.size() > 1 && (literal.negations % 2 == 1 || nothing))
        return refuse(literal.span, "an aggregate that is compared twice in this way", "compare it once in each rule");
    const Instances instances = is_direct(literal) ? direct_instances(literal) : auxiliary_instances(literal);
    if (!nothing) return add_guarded(literal.function, instances, guards, goals);
    guards[0].relation = complement(guards[0].relation);
    Goals opposite;
    add_guarded(literal.function, instances, guards, opposite);
    goals.push_back("\\+ " + joined(opposite));
}

void AspRuleText::add_guarded(const std::string& function, const Instances& instances,
                              const std::vector<AspGuard>& guards, Goals& goals) {
    const auto assigns = std::ranges::find_if(guards, [](const AspGuard& one) {
        return one.relation == "=" && (one.term.kind == Kind::Variable || one.term.kind == Kind::Number);
    });
    const std::string value = assigns == guards.end() ? fresh() : expression(assigns->term);
    const std::string what = function == "count" ? "count" : fmt::format("{}({})", function, instances.weight);
    goals.push_back(fmt::format("aggregate_all({}, {}, {})", what, instances.goal, value));
    for (auto one = guards.begin(); one != guards.end(); ++one) {
        if (one != assigns)
            goals.push_back(fmt::format("{} {} {}", value, our_relation(one->relation), expression(one->term)));
    }
}

}  // namespace neumann::interchange
