#include "learn/readers/clause_constraints.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "resolution/library.h"
#include "resolution/rule_reader.h"

namespace neumann::search {
namespace {

using resolution::Indicator;
using resolution::Rule;
using resolution::Term;
using resolution::Terms;

constexpr std::size_t steps_of_constraint = 100'000;
constexpr std::size_t most_ordered = 5;  // clauses of a program whose order is tried

// What is told about each clause; the rest follows.
const std::set<Indicator> told = {{"clause", 1},   {"head_literal", 4}, {"body_literal", 4}, {"head_var", 2},
                                  {"body_var", 2}, {"var_type", 3},     {"body_size", 2},    {"invented", 2}};

constexpr std::string_view clause_rules = R"prolog(
literal(C, P, A, Vs) :- head_literal(C, P, A, Vs).
literal(C, P, A, Vs) :- body_literal(C, P, A, Vs).
clause_var(C, V) :- head_var(C, V).
clause_var(C, V) :- body_var(C, V).
vars(A, Vs) :- literal(_, _, A, Vs).
var_pos(V, Vs, P) :- vars(_, Vs), arg(N, Vs, V), P is N - 1.
var_member(V, Vs) :- vars(_, Vs), arg(_, Vs, V).
var_in_literal(C, P, Vs, V) :- literal(C, P, _, Vs), arg(_, Vs, V).
recursive_clause(C, P, A) :- head_literal(C, P, A, _), body_literal(C, P, A, _).
base_clause(C, P, A) :- head_literal(C, P, A, _), \+ body_literal(C, P, A, _).
recursive :- recursive_clause(_, _, _).
num_clauses(N) :- findall(C, clause(C), L), length(L, N).
size(N) :- findall(C-S, body_size(C, S), L), 'sum of sizes'(L, 0, N).
'sum of sizes'([], N, N).
'sum of sizes'([_-S|T], Before, N) :- Next is Before + S + 1, 'sum of sizes'(T, Next, N).
singleton(C, V) :- clause_var(C, V), findall(P-Vs, var_in_literal(C, P, Vs, V), L), length(L, 1).
'aggregate of'(count, L, N) :- sort(L, S), length(S, N).
'aggregate of'(sum, L, N) :- sort(L, S), 'firsts of'(S, Fs), sum_list(Fs, N).
'aggregate of'(min, L, N) :- 'firsts of'(L, Fs), min_list(Fs, N).
'aggregate of'(max, L, N) :- 'firsts of'(L, Fs), max_list(Fs, N).
'firsts of'([], []).
'firsts of'([T|Ts], [X|Xs]) :- arg(1, T, X), 'firsts of'(Ts, Xs).
)prolog";

}  // namespace

void add_clause_facts(BiasRules& bias) {
    resolution::Rules& rules = bias.rules;
    if (rules.by_head.contains({"bad_body", 2})) {  // bad_body(p, Vars) forbids goals
        const Term number = rules.terms.number(static_cast<std::int64_t>(bias.constraints.size()));
        const Term head = rules.terms.compound("violated", std::array{number});
        const Term name = rules.terms.variable(0);
        const Term vars = rules.terms.variable(1);
        const Term goal = rules.terms.compound(
            "body_literal", std::array{rules.terms.variable(2), name, rules.terms.variable(3), vars});
        const Term bad = rules.terms.compound("bad_body", std::array{name, vars});
        bias.constraints.push_back({head, {}});
        rules.add({{{resolution::no_term, head}}, rules.terms.compound(",", std::array{goal, bad}), 4, {}});
    }
    rules.declared.insert(told.begin(), told.end());
    resolution::Rules more;
    more.terms = std::move(rules.terms);
    SourceSet sources;
    Diagnostics none;
    resolution::read_rules(sources, sources.add("clauses", std::string(clause_rules)), more, none,
                           resolution::RuleLanguage::Prolog);
    rules.terms = std::move(more.terms);
    std::set<Indicator> own;
    for (const auto& [indicator, places] : rules.by_head) own.insert(indicator);
    for (Rule& rule : more.rules) {
        if (own.contains(rules.indicator(rule.heads[0].atom))) continue;
        rule.span = {};
        rules.add(std::move(rule));
    }
    resolution::add_prolog_library(rules);
}

ClauseConstraints::ClauseConstraints(std::shared_ptr<BiasRules> rules, std::vector<std::string> types)
    : rules_(std::move(rules)), types_(std::move(types)), evaluate_(rules_->rules) {
    for (const BiasConstraint& one : rules_->constraints) {
        Constraint made{one.goal};
        std::vector<Term> clauses;
        made.anywhere = !is_about_places(one.goal, clauses);
        std::vector<Term> counts;
        made.lasting = made.anywhere && lasts(one.goal, counts);
        depends_on_places_ = depends_on_places_ || !made.anywhere;
        constraints_.push_back(made);
    }
}

// Whether the number of a clause matters, or there are several of them.
bool ClauseConstraints::is_about_places(Term goal, std::vector<Term>& clauses) const {
    const Terms& terms = rules_->rules.terms;
    if (!terms.is_callable(goal)) return false;
    const std::span<const Term> args = terms.args(goal);
    static const std::set<std::string> about_all = {"recursive", "num_clauses", "size"};
    if (about_all.contains(terms.name(goal))) return true;
    static const std::set<std::string> of_a_clause = {"clause",    "literal",        "head_literal",     "body_literal",
                                                      "head_var",  "body_var",       "clause_var",       "var_type",
                                                      "body_size", "var_in_literal", "recursive_clause", "base_clause"};
    if (of_a_clause.contains(terms.name(goal)) && !args.empty()) {
        if (!terms.is_variable(args[0])) return true;
        if (terms.name(goal) == "recursive_clause" || terms.name(goal) == "base_clause") return true;
        if (std::ranges::find(clauses, args[0]) == clauses.end()) clauses.push_back(args[0]);
        return false;
    }
    const auto places = rules_->rules.by_head.find(rules_->rules.indicator(goal));
    if (places != rules_->rules.by_head.end()) {
        return std::ranges::any_of(places->second, [&](const auto& place) {
            const Rule& rule = rules_->rules.rules[place.first];
            std::vector<Term> inside;
            if (terms.is(goal, "violated", 1)) return rule.heads[0].atom == goal && is_about_places(rule.body, inside);
            return !rule.span.is_none() && is_about_places(rule.body, inside);
        });
    }
    return std::ranges::any_of(args, [&](Term arg) { return is_about_places(arg, clauses); });
}

bool ClauseConstraints::depends_on_clauses(Term goal) const {
    const resolution::Rules& rules = rules_->rules;
    if (!rules.terms.is_callable(goal)) return false;
    const Indicator indicator = rules.indicator(goal);
    if (told.contains(indicator)) return true;
    if (const auto places = rules.by_head.find(indicator); places != rules.by_head.end()) {
        return std::ranges::any_of(places->second, [&](const auto& place) {
            const Rule& rule = rules.rules[place.first];
            return !rules.terms.is(rule.body, "true", 0) && rule.body != goal && depends_on_clauses(rule.body);
        });
    }
    return std::ranges::any_of(rules.terms.args(goal), [&](Term arg) { return depends_on_clauses(arg); });
}

// More goals make more atoms true: a goal that holds goes on to hold, unless it negates or counts down.
bool ClauseConstraints::lasts(Term goal, std::vector<Term>& counts) const {
    const resolution::Rules& rules = rules_->rules;
    const Terms& terms = rules.terms;
    if (!terms.is_callable(goal)) return false;
    const std::span<const Term> args = terms.args(goal);
    const auto is_count = [&](Term term) { return std::ranges::find(counts, term) != counts.end(); };
    if (terms.is(goal, "true", 0) || terms.is(goal, "append", 3)) return true;
    if (terms.is(goal, ",", 2)) return lasts(args[0], counts) && lasts(args[1], counts);
    if (terms.is(goal, "\\+", 1)) return !depends_on_clauses(args[0]);
    if (terms.is(goal, "findall", 3)) return lasts(args[1], counts);
    if (terms.is(goal, "aggregate of", 3)) {
        counts.push_back(args[2]);
        return terms.is(args[0], "count", 0);
    }
    if (args.size() == 2 && (is_count(args[0]) || is_count(args[1]))) {
        const std::string& name = terms.name(goal);
        return is_count(args[0]) && (name == "@>" || name == "@>=" || name == ">" || name == ">=");
    }
    if (terms.is(goal, "=", 2) || terms.is(goal, "\\==", 2)) return true;
    static const std::set<Indicator> positive = {{"clause", 1},     {"head_literal", 4}, {"body_literal", 4},
                                                 {"head_var", 2},   {"body_var", 2},     {"var_type", 3},
                                                 {"clause_var", 2}, {"literal", 4},      {"var_in_literal", 4},
                                                 {"vars", 2},       {"var_pos", 3},      {"var_member", 2}};
    const Indicator indicator = rules.indicator(goal);
    if (positive.contains(indicator)) {  // variables behind those of the head get other numbers
        return std::ranges::none_of(args.subspan(1), [&](Term arg) { return terms.is_number(arg); }) ||
               indicator.first.ends_with("literal");
    }
    const auto places = rules.by_head.find(indicator);
    if (places == rules.by_head.end()) return false;
    return std::ranges::all_of(places->second, [&](const auto& place) {
        const Rule& rule = rules.rules[place.first];
        std::vector<Term> own;
        if (terms.is(goal, "violated", 1)) return rule.heads[0].atom != goal || lasts(rule.body, own);
        if (terms.is(rule.body, "true", 0)) return true;
        return !rule.span.is_none() && rule.body != goal && lasts(rule.body, own);
    });
}

std::vector<std::string> ClauseConstraints::single_types() const {
    const resolution::Rules& rules = rules_->rules;
    const Terms& terms = rules.terms;
    std::vector<std::string> found;
    for (const BiasConstraint& one : rules_->constraints) {
        const Rule& rule =
            rules.rules[rules.by_head.at({"violated", 1})[static_cast<std::size_t>(&one - rules_->constraints.data())]
                            .first];
        std::vector<Term> goals;
        for (Term body = rule.body;; body = terms.args(body)[1]) {
            const bool more = terms.is(body, ",", 2);
            goals.push_back(more ? terms.args(body)[0] : body);
            if (!more) break;
        }
        std::string type;
        bool usual = false;
        Term count = resolution::no_term;
        for (const Term goal : goals) {
            const std::span<const Term> args = terms.args(goal);
            if (terms.is(goal, "findall", 3)) {
                std::vector<Term> parts;
                Term condition = args[1];
                for (; terms.is(condition, ",", 2); condition = terms.args(condition)[1])
                    parts.push_back(terms.args(condition)[0]);
                parts.push_back(condition);
                for (const Term part : parts) {
                    if (terms.is(part, "var_type", 3) && terms.is_ground(terms.args(part)[2]) &&
                        terms.is_callable(terms.args(part)[2]))
                        type = terms.name(terms.args(part)[2]);
                    else if (!terms.is(part, "clause_var", 2))
                        type.clear();
                }
                usual = !type.empty() && parts.size() <= 2;
            } else if (terms.is(goal, "aggregate of", 3)) {
                count = args[2];
            } else if (args.size() == 2 && args[0] == count && count != resolution::no_term) {
                const bool is_one = terms.is_number(args[1]) && as_double(terms.value(args[1])) == 1;
                const std::string& name = terms.name(goal);
                usual = usual && is_one && (name == "\\==" || name == "@>");
            } else if (!terms.is(goal, "clause", 1) && !terms.is(goal, "append", 3)) {
                usual = false;
                break;
            }
        }
        if (usual) found.push_back(type);
    }
    return found;
}

void ClauseConstraints::add_facts(const Clause& clause, std::size_t number, const Bias& bias,
                                  std::vector<Term>& facts) {
    Terms& terms = rules_->rules.terms;
    const Term own = terms.number(static_cast<std::int64_t>(number));
    const auto count = [&](std::size_t n) { return terms.number(static_cast<std::int64_t>(n)); };
    const auto literal = [&](std::string_view kind, const Predicate& predicate,
                             std::span<const std::uint8_t> variables) {
        std::vector<Term> vars;
        for (const std::uint8_t variable : variables) vars.push_back(count(variable));
        facts.push_back(terms.compound(
            kind, std::array{own, terms.constant(predicate.name), count(vars.size()), terms.compound("", vars)}));
    };
    facts.push_back(terms.compound("clause", std::array{own}));
    const Predicate& head = bias.of(clause.head);
    std::vector<std::uint8_t> variables;
    for (std::size_t a = 0; a < head.types.size(); ++a) {
        variables.push_back(static_cast<std::uint8_t>(a));
        facts.push_back(terms.compound("head_var", std::array{own, count(a)}));
    }
    literal("head_literal", head, variables);
    if (head.invented)
        facts.push_back(terms.compound("invented", std::array{terms.constant(head.name), count(head.types.size())}));
    std::set<std::uint8_t> in_body;
    for (const Literal& goal : clause.body) {
        const Predicate& predicate = bias.of(goal);
        literal("body_literal", predicate, {goal.args.data(), predicate.types.size()});
        in_body.insert(goal.args.begin(), goal.args.begin() + static_cast<std::ptrdiff_t>(predicate.types.size()));
    }
    for (const std::uint8_t variable : in_body)
        facts.push_back(terms.compound("body_var", std::array{own, count(variable)}));
    facts.push_back(terms.compound("body_size", std::array{own, count(clause.body.size())}));
    const std::vector<std::uint16_t> types = variable_types(clause, bias);
    for (std::size_t v = 0; v < types.size(); ++v) {
        const bool occurs = v < head.types.size() || in_body.contains(static_cast<std::uint8_t>(v));
        if (types[v] == 0 || types[v] >= types_.size() || !occurs) continue;
        facts.push_back(terms.compound("var_type", std::array{own, count(v), terms.constant(types_[types[v]])}));
    }
}

bool ClauseConstraints::violates(Kind kind) {
    resolution::DepthLimits limits;
    limits.most_steps = steps_of_constraint;
    limits.most_answers = 1;
    return std::ranges::any_of(constraints_, [&](const Constraint& one) {
        if ((kind == Kind::Anywhere && !one.anywhere) || (kind == Kind::Growing && !one.lasting)) return false;
        return !evaluate_.solve(one.goal, limits).terms.empty();
    });
}

bool ClauseConstraints::allows(const Clause& clause, const Bias& bias) {
    std::vector<Term> facts;
    add_facts(clause, 0, bias, facts);
    evaluate_.set_facts(facts);
    return !violates(Kind::Any);
}

bool ClauseConstraints::allows_somewhere(const Clause& clause, const Bias& bias) {
    std::vector<Term> facts;
    add_facts(clause, 0, bias, facts);
    evaluate_.set_facts(facts);
    return !violates(Kind::Anywhere);
}

bool ClauseConstraints::may_grow(const Clause& clause, const Bias& bias) {
    if (std::ranges::none_of(constraints_, &Constraint::lasting)) return true;
    std::vector<Term> facts;
    add_facts(clause, 0, bias, facts);
    evaluate_.set_facts(facts);
    return !violates(Kind::Growing);
}

bool ClauseConstraints::allows(const std::vector<Clause>& program, const Bias& bias) {
    if (!depends_on_places_) return true;  // its clauses have been asked about
    const auto is_recursive = [&](const Clause& clause) {
        return std::ranges::any_of(clause.body, [&](const Literal& goal) { return goal.predicate == clause.head; });
    };
    std::vector<std::size_t> order(program.size());
    for (std::size_t c = 0; c < order.size(); ++c) order[c] = c;
    std::ranges::stable_sort(order, {}, [&](std::size_t c) { return is_recursive(program[c]); });
    const auto bases = static_cast<std::ptrdiff_t>(
        std::ranges::count_if(program, [&](const Clause& clause) { return !is_recursive(clause); }));
    const auto holds = [&] {
        std::vector<Term> facts;
        for (std::size_t place = 0; place < order.size(); ++place) add_facts(program[order[place]], place, bias, facts);
        evaluate_.set_facts(facts);
        return !violates(Kind::Any);
    };
    if (program.size() > most_ordered) return holds();
    do {
        do {
            if (holds()) return true;
        } while (std::next_permutation(order.begin() + bases, order.end()));
    } while (std::next_permutation(order.begin(), order.begin() + bases));
    return false;
}

}  // namespace neumann::search
