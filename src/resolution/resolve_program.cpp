#include "resolution/resolve_program.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "resolution/built_ins.h"
#include "resolution/check_goals.h"
#include "resolution/fold_collections.h"
#include "resolution/ground_probability.h"
#include "resolution/ground_program.h"
#include "resolution/library.h"
#include "resolution/rule_reader.h"
#include "resolution/tabling.h"

namespace neumann::resolution {
namespace {

const Indicator query = {"query", 1};

class Resolution {
public:
    Resolution(Rules& rules, Diagnostics& diagnostics)
        : rules_(rules), terms_(rules.terms), diagnostics_(diagnostics), tabling_(rules, ground_) {}

    void resolve() {
        ask_queries();
        ask_evidence();
        decide();
    }
    const GroundRules& ground() const { return ground_; }

private:
    // Queries and evidence are those that can hold: their bodies say what is asked for, not how probable it is.
    struct Answer {
        Term term = no_term;
        std::uint32_t rule = no_rule;  // the first that derives it
    };
    std::vector<Answer> answers_of(Term goal) {
        std::vector<Answer> found;
        if (!rules_.defines(rules_.indicator(goal))) return found;
        for (const std::uint32_t atom : tabling_.solve(goal)) {
            const GroundAtom& answer = ground_.atoms[atom];
            found.push_back({answer.term, ground_.instances[answer.instances.front()].rule});
        }
        return found;
    }

    // What was asked at this rule: it is the place of errors that are in no other.
    std::vector<std::uint32_t> solve_for(Term goal, std::uint32_t rule) {
        try {
            return tabling_.solve(goal);
        } catch (ResolutionError& error) {
            if (error.rule == no_rule) error.rule = rule;
            throw;
        }
    }

    bool observes(Term goal, bool holds, std::uint32_t rule) {
        try {
            return tabling_.observe(goal, holds, rule == no_rule ? Span() : rules_.rules[rule].span);
        } catch (ResolutionError& error) {
            if (error.rule == no_rule) error.rule = rule;
            throw;
        }
    }

    void ask_queries() {
        const Term all = terms_.compound(query.first, std::array{terms_.variable(0)});
        std::set<std::uint32_t> asked;
        for (const Answer& one : answers_of(all)) {
            const Term goal = terms_.args(one.term)[0];
            std::vector<std::uint32_t> answers = solve_for(goal, one.rule);
            if (answers.empty()) answers.push_back(tabling_.atom_of(goal));
            for (const std::uint32_t atom : answers) {
                const GroundAtom& answer = ground_.atoms[atom];
                if (!answer.certain && !answer.instances.empty() && !terms_.is_ground(answer.term))
                    throw ResolutionError(fmt::format("the answer {} has variables, and its probability is not 1",
                                                      terms_.print(answer.term)),
                                          one.rule, "bind them in the rules, or ask for atoms without them");
                if (asked.insert(atom).second) ground_.queries.push_back(atom);
            }
        }
    }

    void ask_evidence() {
        const Term one = terms_.compound("evidence", std::array{terms_.variable(0)});
        for (const Answer& answer : answers_of(one)) observe(terms_.args(answer.term)[0], true, answer.rule);
        const Term two = terms_.compound("evidence", std::array{terms_.variable(0), terms_.variable(1)});
        for (const Answer& answer : answers_of(two)) {
            const Term value = terms_.args(answer.term)[1];
            const bool holds = terms_.is(value, "true", 0);
            if (!holds && !terms_.is(value, "false", 0))
                throw ResolutionError("evidence is true or false", answer.rule, "write evidence(a, false)");
            observe(terms_.args(answer.term)[0], holds, answer.rule);
        }
    }

    // utility(Goal, Value): decisions are made so that the expected sum is largest; they and score(Sum) are answers.
    void decide() {
        const bool decides =
            std::ranges::any_of(rules_.rules, [&](const Rule& one) { return rules_.is_decision(one); });
        if (!decides) return;
        const Term pattern = terms_.compound("utility", std::array{terms_.variable(0), terms_.variable(1)});
        std::vector<Utility> utilities;
        for (const Answer& answer : answers_of(pattern)) {
            const std::vector<Term> args(terms_.args(answer.term).begin(), terms_.args(answer.term).end());
            add_utility(args[0], as_double(evaluate(terms_, args[1])), answer.rule, utilities);
        }
        if (utilities.empty())
            throw ResolutionError("there are decisions, and no utilities", no_rule,
                                  "say what an outcome is worth: utility(goal, 5).");
        if (!ground_.evidence.empty())
            throw ResolutionError("decisions under evidence are missing", no_rule,
                                  "leave the evidence out, or make its atoms certain");
        const Strategy strategy = best_strategy(ground_, utilities);
        for (const std::uint32_t one : strategy.taken) taken_.insert(one);
        for (std::uint32_t i = 0; i < ground_.instances.size(); ++i) {
            GroundInstance& instance = ground_.instances[i];
            if (!instance.decision) continue;
            instance.weight = taken_.contains(i) ? 1.0 : 0.0;
            if (std::ranges::find(ground_.queries, instance.atom) == ground_.queries.end())
                ground_.queries.push_back(instance.atom);
        }
        const Term score = terms_.number(rounded(terms_, strategy.score));
        ground_.queries.push_back(tabling_.add_certain(terms_.compound("score", std::array{score})));
    }

    void add_utility(Term goal, double value, std::uint32_t rule, std::vector<Utility>& utilities) {
        const bool negated = terms_.is(goal, "\\+", 1) || terms_.is(goal, "not", 1);
        if (negated) goal = terms_.args(goal)[0];
        const std::vector<std::uint32_t> answers = tabling_.solve(goal);
        if (!terms_.is_ground(goal) && negated)
            throw ResolutionError("a utility of a negated goal with variables", rule, "give each instance its own");
        if (answers.empty() && negated) utilities.push_back({{tabling_.atom_of(goal), true}, value});
        for (const std::uint32_t atom : answers) utilities.push_back({{atom, negated}, value});
    }

    void observe(Term goal, bool holds, std::uint32_t rule) {
        const Span span = rule == no_rule ? Span() : rules_.rules[rule].span;
        if (observes(goal, holds, rule)) return;
        while (terms_.is(goal, "\\+", 1) || terms_.is(goal, "not", 1)) {
            goal = terms_.args(goal)[0];
            holds = !holds;
        }
        if (holds)
            return diagnostics_.report(codes::bad_declaration, span,
                                       fmt::format("the evidence {} cannot be true", terms_.print(goal)),
                                       "nothing that can be derived matches it");
        diagnostics_.report(
            codes::bad_declaration, span,
            fmt::format("the evidence that {} does not hold cannot be true: it always does", terms_.print(goal)));
    }

    Rules& rules_;
    Terms& terms_;
    Diagnostics& diagnostics_;
    GroundRules ground_;
    Tabling tabling_;
    std::set<std::uint32_t> taken_;  // decisions
};

}  // namespace

void resolve_program(std::uint32_t file, const Asked& asked, Program& program, Diagnostics& diagnostics) {
    Rules rules;
    rules.terms.problog_numbers = true;
    read_rules(*program.sources, file, rules, diagnostics);
    if (!asked.queries.empty()) rules.by_head.erase(query);
    for (const std::string& text : asked.queries)
        read_asked(*program.sources, program.sources->add(asked.from, text), rules, diagnostics);
    if (diagnostics.has_errors()) return;
    rules.split_negated();
    add_library(rules);
    fold_collections(rules);
    const bool decides = std::ranges::any_of(rules.rules, [&](const Rule& one) { return rules.is_decision(one); });
    if (!rules.by_head.contains(query) && !decides && !asked.needed) return check_goals(rules, diagnostics);
    if (!rules.by_head.contains(query) && !decides)
        return diagnostics.report(codes::bad_declaration, program.sources->whole_file(file),
                                  "the program asks for nothing", "add what is asked: query(p(X)).");
    const Span whole = program.sources->whole_file(file);
    const auto report = [&](const ResolutionError& error) {
        const Span span = error.rule == no_rule ? Span() : rules.rules[error.rule].span;
        diagnostics.report(codes::evaluation, span.is_none() ? whole : span, error.what(), error.advice);
    };
    Resolution resolution(rules, diagnostics);
    try {
        resolution.resolve();
    } catch (const GoalError& error) {
        report({error.what(), no_rule});
        return;
    } catch (const UnknownPredicate& error) {
        check_goals(rules, diagnostics);  // tells of all at once, with names that are like them
        if (!diagnostics.has_errors()) report(error);
        return;
    } catch (const ResolutionError& error) {
        report(error);
        return;
    }
    write_program(rules, resolution.ground(), whole, program);
}

}  // namespace neumann::resolution
