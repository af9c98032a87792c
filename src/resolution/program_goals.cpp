// Goals about the program itself: its clauses, and probabilities of goals.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "resolution/built_ins.h"
#include "resolution/ground_probability.h"
#include "resolution/tabling.h"

namespace neumann::resolution {

bool Tabling::step_program(Frame& frame, Term goal, bool& done) {
    const std::vector<Term> args(terms_.args(goal).begin(), terms_.args(goal).end());
    if (terms_.is(goal, "once", 1)) {  // ProbLog's once is call: every answer counts
        frame.goals.push_back(called(frame, args));
    } else if (terms_.name(goal) == "try_call" && !args.empty()) {
        const Term tried = called(frame, args);
        const bool known = rules_.defines(rules_.indicator(tried)) || is_built_in(terms_, tried);
        if (known) frame.goals.push_back(tried);
        done = !known;
    } else if (terms_.is(goal, "clause", 2)) {
        match_clauses(frame, terms_.apply(args[0], frame.environment), args[1]);
        done = true;
    } else if ((terms_.is(goal, "cut", 1) || terms_.is(goal, "cut", 2)) && rules_.libraries.contains("cut")) {
        const Term index = args.size() == 2 ? args[1] : fresh_variable(frame);
        const Term goals = terms_.apply(args[0], frame.environment);
        cut(std::move(frame), goals, index);
        done = true;
    } else if (terms_.is(goal, "subquery", 2) || terms_.is(goal, "subquery", 3)) {
        const Term evidence = args.size() == 3 ? terms_.apply(args[2], frame.environment) : terms_.constant("[]");
        const Term asked = terms_.apply(args[0], frame.environment);
        find_probability(frame, asked, evidence, args[1]);
        done = true;
    } else {
        return false;
    }
    return true;
}

// clause(Head, Body): each rule of the program whose head matches, with its body as it is written.
void Tabling::match_clauses(const Frame& frame, Term head, Term body) {
    if (!terms_.is_callable(head)) throw GoalError("clause/2 needs a head");
    const auto rules = rules_.by_head.find(rules_.indicator(head));
    if (rules == rules_.by_head.end()) return;
    for (std::size_t r = rules->second.size(); r-- > 0;) {
        const auto [number, which] = rules->second[r];
        const Rule& rule = rules_.rules[number];
        Frame other = frame;
        const auto own = static_cast<std::uint32_t>(other.environment.size());
        other.environment.resize(own + rule.variables, no_term);
        if (terms_.unify(head, terms_.shifted(rule.heads[which].atom, own), other.environment) &&
            terms_.unify(body, terms_.shifted(rule.body, own), other.environment))
            push(std::move(other));
    }
}

// cut(p(X)): clauses p(I,X) in the order of their numbers I, up to the first that holds. Its answers are apart from
// those of calls with other arguments, as the first of these may be another.
void Tabling::cut(Frame frame, Term called, Term index) {
    if (!terms_.is_callable(called)) throw GoalError("cut needs a goal");
    std::vector<Term> args = {terms_.variable(0)};
    args.insert(args.end(), terms_.args(called).begin(), terms_.args(called).end());
    const std::string name = terms_.name(called);
    const auto rules = rules_.by_head.find({name, args.size()});
    if (rules == rules_.by_head.end())
        throw GoalError(fmt::format("cut needs clauses of {}/{}, numbered by their first argument", name, args.size()));
    std::vector<Term> indices;
    for (const auto& [number, which] : rules->second) {
        const Term one = terms_.args(rules_.rules[number].heads[which].atom)[0];
        if (!terms_.is_ground(one)) throw GoalError("cut needs clauses that begin with their number");
        indices.push_back(one);
    }
    std::stable_sort(indices.begin(), indices.end(), [&](Term a, Term b) { return terms_.order(a, b) < 0; });
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    const Term pattern = terms_.constant(terms_.print(terms_.canonical(called)));
    if (!terms_.is_ground(called)) mark_by_call(frame.table);
    const std::vector<Term> given(args.begin() + 1, args.end());
    frame.goals.push_back(terms_.compound(
        "cut by", std::array{pattern, terms_.list(indices), terms_.constant(name), terms_.list(given), index}));
    push(std::move(frame));
}

// The answers of a table, and of all that use it, depend on the arguments that were known when it was called.
void Tabling::mark_by_call(std::uint32_t table) {
    std::vector<std::uint32_t> todo = {table};
    while (!todo.empty()) {
        Table& one = tables_[todo.back()];
        todo.pop_back();
        if (one.by_call) continue;
        one.by_call = true;
        todo.insert(todo.end(), one.users.begin(), one.users.end());
    }
}

// Where the first answer is committed to, an atom may hold for one call and not for another.
void Tabling::require_one_call() const {
    std::unordered_map<std::uint32_t, std::uint32_t> table_of_atom;
    for (std::uint32_t t = 0; t < tables_.size(); ++t) {
        if (!tables_[t].by_call) continue;
        for (const std::uint32_t atom : tables_[t].answers) {
            const auto [found, added] = table_of_atom.try_emplace(atom, t);
            if (added || are_equivalent(ground_, found_by_.at({t, atom}), found_by_.at({found->second, atom})))
                continue;
            throw ResolutionError(
                fmt::format("{} is asked for as {} and as {}, and which answer comes first may differ",
                            terms_.print(ground_.atoms[atom].term), terms_.print(tables_[found->second].call),
                            terms_.print(tables_[t].call)),
                ground_.instances[ground_.atoms[atom].instances.front()].rule,
                "ask for it in one way, or give cut and -> goals whose arguments are known");
        }
    }
}

// subquery(Goal, P) and subquery(Goal, P, Evidence): the program's own evidence does not count.
void Tabling::find_probability(const Frame& frame, Term goal, Term evidence, Term result) {
    if (limits_.deepest_subquery == 0) throw GoalError("a subquery asks for itself");
    ResolutionLimits limits = limits_;
    --limits.deepest_subquery;
    GroundRules ground;
    Tabling inner(rules_, ground, limits);
    std::vector<Term> observed;
    if (!terms_.elements(evidence, observed)) throw GoalError("the evidence of a subquery is a list");
    ground.queries = inner.solve(goal);
    if (ground.queries.empty() && terms_.is_ground(goal)) ground.queries.push_back(inner.atom_of(goal));
    for (const Term one : observed) {
        if (!inner.observe(one, true))
            throw GoalError(fmt::format("the evidence {} of a subquery cannot be true", terms_.print(one)));
    }
    if (ground.queries.empty()) return;
    const std::vector<double> found = probabilities(ground);
    for (std::size_t q = ground.queries.size(); q-- > 0;) {
        Frame other = frame;
        const Term answer = ground.atoms[ground.queries[q]].term;
        const auto own = static_cast<std::uint32_t>(other.environment.size());
        other.environment.resize(own + terms_.variables(answer), no_term);
        if (terms_.unify(goal, terms_.shifted(answer, own), other.environment) &&
            terms_.unify(result, terms_.number(rounded(terms_, found[q])), other.environment))
            push(std::move(other));
    }
}

std::uint32_t Tabling::add_certain(Term term) {
    const std::uint32_t atom = atom_of(term);
    add_instance({atom, no_rule, 0, no_term, {}, false, {}});
    return atom;
}

Term Tabling::fresh_variable(Frame& frame) {
    frame.environment.push_back(no_term);
    return terms_.variable(static_cast<std::uint32_t>(frame.environment.size() - 1));
}

bool Tabling::observe(Term goal, bool holds, Span span) {
    while (terms_.is(goal, "\\+", 1) || terms_.is(goal, "not", 1)) {
        goal = terms_.args(goal)[0];
        holds = !holds;
    }
    const std::vector<std::uint32_t> answers = solve(goal);
    if (answers.empty() && holds) return false;
    for (const std::uint32_t atom : answers) {
        if (ground_.atoms[atom].certain && !holds) return false;
        if (!ground_.atoms[atom].certain) ground_.evidence.push_back({{atom, !holds}, span});
    }
    return true;
}

}  // namespace neumann::resolution
