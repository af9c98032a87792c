#include "interchange/asp_rule_text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "interchange/asp_names.h"
#include "logic/print.h"

namespace neumann::interchange {
namespace {

using Kind = AspTerm::Kind;

bool is_expression(const AspTerm& term) { return term.kind == Kind::Operation; }

// Some names mean something else here unless they are quoted.
std::string predicate_name(const std::string& name) {
    const bool task = name == "query" || name == "evidence" || name == "aggregate_all";
    return task ? quote_text(name) : quote_name(name);
}

std::string renamed(const std::string& name) {
    std::string result;
    for (const char c : name) result += c == '\'' ? std::string("_q") : std::string(1, c);
    return result;
}

}  // namespace

std::string AspSymbols::fresh_predicate(const std::string& base) {
    for (unsigned number = 1;; ++number) {
        std::string name = fmt::format("{}_{}", base, number);
        if (predicates.insert(name).second) return name;
    }
}

void add_variables(const AspTerm& term, std::set<std::string>& names) {
    if (term.kind == Kind::Variable) names.insert(term.text);
    for (const AspTerm& arg : term.args) add_variables(arg, names);
}

void add_plain_variables(const AspTerm& term, std::set<std::string>& names) {
    if (is_expression(term) || term.kind == Kind::Interval) return;
    if (term.kind == Kind::Variable) names.insert(term.text);
    for (const AspTerm& arg : term.args) add_plain_variables(arg, names);
}

void add_variables(const AspLiteral& literal, std::set<std::string>& names) {
    add_variables(literal.atom, names);
    add_variables(literal.comparison.left, names);
    add_variables(literal.comparison.right, names);
    for (const AspGuard& guard : literal.guards) add_variables(guard.term, names);
    for (const AspLiteral& one : literal.condition) add_variables(one, names);
    for (const AspElement& element : literal.elements) {
        for (const AspTerm& term : element.tuple) add_variables(term, names);
        for (const AspLiteral& one : element.condition) add_variables(one, names);
    }
}

std::string joined(const std::vector<std::string>& goals) {
    if (goals.empty()) return "true";
    return goals.size() == 1 ? goals.front() : fmt::format("({})", fmt::join(goals, ", "));
}

std::string_view complement(std::string_view relation) {
    if (relation == "=") return "!=";
    if (relation == "!=") return "=";
    if (relation == "<") return ">=";
    if (relation == ">=") return "<";
    return relation == ">" ? "<=" : ">";
}

std::string_view our_relation(std::string_view relation) {
    if (relation == "=") return "=:=";
    if (relation == "!=") return "=\\=";
    return relation == "<=" ? "=<" : relation;
}

AspRuleText::AspRuleText(const AspRule& rule, AspSymbols& symbols, Diagnostics& diagnostics)
    : rule_(rule), symbols_(symbols), diagnostics_(diagnostics) {
    Names all;
    add_variables(rule.head, all);
    for (const AspLiteral& one : rule.body) {
        Names inside;
        add_variables(one, inside);
        for (const std::string& name : inside) ++parts_[name];
        all.merge(inside);
    }
    for (const std::string& name : all) taken_.insert(renamed(name));
    find_globals();
    find_bound(rule.body);
}

void AspRuleText::find_globals() {
    add_variables(rule_.head, globals_);
    for (const AspLiteral& one : rule_.body) {
        for (const AspGuard& guard : one.guards) add_variables(guard.term, globals_);
        if (one.kind == AspLiteral::Kind::Atom || one.kind == AspLiteral::Kind::Comparison)
            add_variables(one, globals_);
    }
    globals_.erase("_");
}

// Atoms first; then variables that equations bind, until a fixed point.
void AspRuleText::find_bound(const std::vector<AspLiteral>& literals) {
    for (const AspLiteral& one : literals) {
        if (one.kind == AspLiteral::Kind::Atom && one.negations == 0) add_plain_variables(one.atom, bound_);
        for (const AspGuard& guard : one.guards) {
            if (guard.relation == "=" && guard.term.kind == Kind::Variable) bound_.insert(guard.term.text);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const AspLiteral& one : literals) {
            if (one.kind == AspLiteral::Kind::Comparison && one.negations == 0 && one.comparison.relation == "=")
                changed = bind_equal(one.comparison) || changed;
        }
    }
}

bool AspRuleText::bind_equal(const AspComparison& comparison) {
    const std::size_t before = bound_.size();
    if (is_bound(comparison.left)) add_plain_variables(comparison.right, bound_);
    if (is_bound(comparison.right)) add_plain_variables(comparison.left, bound_);
    return bound_.size() > before;
}

bool AspRuleText::is_bound(const AspTerm& term) const {
    Names names;
    add_variables(term, names);
    return std::ranges::includes(bound_, names);
}

void AspRuleText::require_bound(const Names& names, Span span) {
    for (const std::string& name : names) {
        if (name != "_" && !bound_.contains(name))
            diagnostics_.report(
                codes::unsafe_variable, span, fmt::format("no goal gives '{}' a value", name),
                "bind it in an atom; of expressions only sums and differences are solved for a variable");
    }
}

std::string AspRuleText::fresh() {
    std::string name;
    do {
        name = fmt::format("V{}", ++fresh_);
    } while (!taken_.insert(name).second);
    return name;
}

std::string AspRuleText::variable(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? renamed(name) : found->second;
}

// Two parts of a body may use one name for variables of their own; here a name is one variable.
AspRuleText::Scope AspRuleText::enter(const Names& locals) {
    Scope scope{bound_, names_};
    for (const std::string& name : locals) {
        if (name != "_" && parts_[name] > 1) names_[name] = fresh();
    }
    return scope;
}

void AspRuleText::leave(Scope scope) {
    bound_ = std::move(scope.bound);
    names_ = std::move(scope.names);
}

void AspRuleText::refuse(Span span, const std::string& what, const std::string& advice) {
    diagnostics_.report(codes::unsupported, span, fmt::format("no meaning here: {}", what), advice);
}

std::string AspRuleText::atom(const AspTerm& atom) {
    Goals goals;
    std::string text = term(atom, goals, Binds::No);
    if (!goals.empty()) refuse(atom.span, "an expression in what is shown", "show a predicate");
    return text;
}

std::vector<std::string> AspRuleText::clauses() {
    Goals goals;
    for (const AspLiteral& one : rule_.body) literal(one, goals);
    const std::string head = predicate_name(rule_.head.text) + arguments(rule_.head.args, goals, Binds::No);
    require_bound(globals_, rule_.span);
    std::vector<std::string> lines;
    lines.push_back(goals.empty() ? head + "." : fmt::format("{} :- {}.", head, fmt::join(goals, ", ")));
    std::ranges::move(auxiliaries_, std::back_inserter(lines));
    return lines;
}

void AspRuleText::literal(const AspLiteral& literal, Goals& goals) {
    switch (literal.kind) {
    case AspLiteral::Kind::True:
        return;
    case AspLiteral::Kind::Atom: {
        Goals computed;
        const Binds binds = literal.negations == 0 ? Binds::Yes : Binds::No;
        const std::string text = predicate_name(literal.atom.text) + arguments(literal.atom.args, computed, binds);
        const char* const sign = literal.negations == 0 ? "" : literal.negations % 2 == 1 ? "\\+ " : "\\+ \\+ ";
        goals.push_back(sign + text);
        std::ranges::move(computed, std::back_inserter(goals));
        return;
    }
    case AspLiteral::Kind::Comparison: {
        const std::string& relation = literal.comparison.relation;
        return comparison(literal.comparison, literal.negations % 2 == 1 ? std::string(complement(relation)) : relation,
                          goals);
    }
    case AspLiteral::Kind::Aggregate:
        return aggregate(literal, goals);
    case AspLiteral::Kind::Conditional:
        return conditional(literal, goals);
    }
}

// A literal under a condition holds whenever the condition does.
void AspRuleText::conditional(const AspLiteral& one, Goals& goals) {
    Names locals;
    add_variables(one, locals);
    std::erase_if(locals, [&](const std::string& name) { return globals_.contains(name); });
    Scope outside = enter(locals);
    const std::vector<AspLiteral> under(one.condition.begin() + 1, one.condition.end());
    find_bound(under);
    Goals condition;
    for (const AspLiteral& each : under) literal(each, condition);
    require_bound(locals, one.span);
    Goals then;
    literal(one.condition.front(), then);
    if (condition.empty())
        std::ranges::move(then, std::back_inserter(goals));
    else
        goals.push_back(fmt::format("forall({}, {})", joined(condition), joined(then)));
    leave(std::move(outside));
}

void AspRuleText::comparison(const AspComparison& comparison, const std::string& relation, Goals& goals) {
    const AspTerm& left = comparison.left;
    const AspTerm& right = comparison.right;
    if (relation == "=") return equation(comparison, goals);
    for (const AspTerm* side : {&left, &right}) {
        if (side->kind == Kind::Interval)
            return refuse(side->span, "an interval in this comparison", "write X = 1..9 and compare X");
        const bool name = side->kind == Kind::Symbol || side->kind == Kind::String || side->kind == Kind::Tuple;
        if (name && relation != "!=")
            return refuse(side->span, "the order of terms that are no numbers",
                          "compare numbers, or state the order by facts");
    }
    if (relation != "!=" || is_expression(left) || is_expression(right)) {
        goals.push_back(fmt::format("{} {} {}", expression(left), our_relation(relation), expression(right)));
        return;
    }
    const std::string first = term(left, goals, Binds::No);
    goals.push_back(fmt::format("{} \\= {}", first, term(right, goals, Binds::No)));
}

// X = Y + 1 gives X a value, or Y, or compares.
void AspRuleText::equation(const AspComparison& comparison, Goals& goals) {
    const AspTerm* left = &comparison.left;
    const AspTerm* right = &comparison.right;
    if (left->kind == Kind::Interval || (is_expression(*left) && !is_expression(*right))) std::swap(left, right);
    if (left->kind == Kind::Interval)
        return refuse(left->span, "an interval on both sides", "give one of them a variable: X = 1..9");
    if (right->kind == Kind::Interval) {
        std::string value = is_expression(*left) ? computed(*left, goals, Binds::Yes) : term(*left, goals, Binds::No);
        goals.push_back(
            fmt::format("between({}, {}, {})", expression(right->args[0]), expression(right->args[1]), value));
        return;
    }
    if (!is_expression(*right)) {
        const std::string first = term(*left, goals, Binds::Yes);
        goals.push_back(fmt::format("{} = {}", first, term(*right, goals, Binds::Yes)));
        return;
    }
    if (is_expression(*left)) {
        goals.push_back(fmt::format("{} =:= {}", expression(*left), expression(*right)));
        return;
    }
    const std::string value = term(*left, goals, Binds::No);
    if (const std::optional<std::string> solved = inverse(*right, value)) {
        goals.push_back(*solved);
    } else if (left->kind == Kind::Variable || left->kind == Kind::Number) {
        goals.push_back(fmt::format("{} is {}", value, expression(*right)));
    } else {
        refuse(comparison.left.span, "a name that equals an expression", "it never holds; leave the rule out");
    }
}

}  // namespace neumann::interchange
