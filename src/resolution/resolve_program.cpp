#include "resolution/resolve_program.h"

#include <array>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "resolution/check_goals.h"
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
    }
    const GroundRules& ground() const { return ground_; }

private:
    // Queries and evidence atoms do not depend on chance.
    struct Answer {
        Term term = no_term;
        std::uint32_t rule = no_rule;  // the first that derives it
    };
    std::vector<Answer> certain_answers(Term goal) {
        std::vector<Answer> found;
        if (!rules_.defines(rules_.indicator(goal))) return found;
        for (const std::uint32_t atom : tabling_.solve(goal)) {
            if (!ground_.atoms[atom].certain)
                throw ResolutionError(fmt::format("{} depends on chance", terms_.print(ground_.atoms[atom].term)),
                                      first_rule(goal), "conditions on queries and evidence are certain");
            const GroundAtom& answer = ground_.atoms[atom];
            found.push_back({answer.term, ground_.instances[answer.instances.front()].rule});
        }
        return found;
    }

    std::uint32_t first_rule(Term goal) const {
        const auto found = rules_.by_head.find(rules_.indicator(goal));
        return found == rules_.by_head.end() ? no_rule : found->second.front().first;
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

    void ask_queries() {
        const Term all = terms_.compound(query.first, std::array{terms_.variable(0)});
        std::set<std::uint32_t> asked;
        for (const Answer& one : certain_answers(all)) {
            const Term goal = terms_.args(one.term)[0];
            std::vector<std::uint32_t> answers = solve_for(goal, one.rule);
            if (answers.empty()) answers.push_back(tabling_.atom_of(goal));
            for (const std::uint32_t atom : answers) {
                if (asked.insert(atom).second) ground_.queries.push_back(atom);
            }
        }
    }

    void ask_evidence() {
        const Term one = terms_.compound("evidence", std::array{terms_.variable(0)});
        for (const Answer& answer : certain_answers(one)) observe(terms_.args(answer.term)[0], true, answer.rule);
        const Term two = terms_.compound("evidence", std::array{terms_.variable(0), terms_.variable(1)});
        for (const Answer& answer : certain_answers(two)) {
            const Term value = terms_.args(answer.term)[1];
            const bool holds = terms_.is(value, "true", 0);
            if (!holds && !terms_.is(value, "false", 0))
                throw ResolutionError("evidence is true or false", answer.rule, "write evidence(a, false)");
            observe(terms_.args(answer.term)[0], holds, answer.rule);
        }
    }

    void observe(Term goal, bool holds, std::uint32_t rule) {
        while (terms_.is(goal, "\\+", 1) || terms_.is(goal, "not", 1)) {
            goal = terms_.args(goal)[0];
            holds = !holds;
        }
        const Span span = rule == no_rule ? Span() : rules_.rules[rule].span;
        const std::vector<std::uint32_t> answers = solve_for(goal, rule);
        if (answers.empty() && holds)
            return diagnostics_.report(codes::bad_declaration, span,
                                       fmt::format("the evidence {} cannot be true", terms_.print(goal)),
                                       "nothing that can be derived matches it");
        for (const std::uint32_t atom : answers) {
            if (ground_.atoms[atom].certain && !holds)
                return diagnostics_.report(codes::bad_declaration, span,
                                           fmt::format("the evidence that {} does not hold cannot be true: it always "
                                                       "does",
                                                       terms_.print(goal)));
            if (!ground_.atoms[atom].certain) ground_.evidence.push_back({{atom, !holds}, span});
        }
    }

    Rules& rules_;
    Terms& terms_;
    Diagnostics& diagnostics_;
    GroundRules ground_;
    Tabling tabling_;
};

}  // namespace

void resolve_program(std::uint32_t file, const Asked& asked, Program& program, Diagnostics& diagnostics) {
    Rules rules;
    read_rules(*program.sources, file, rules, diagnostics);
    if (!asked.queries.empty()) rules.by_head.erase(query);
    for (const std::string& text : asked.queries)
        read_asked(*program.sources, program.sources->add(asked.from, text), rules, diagnostics);
    if (diagnostics.has_errors()) return;
    add_library(rules);
    check_goals(rules, diagnostics);
    if (diagnostics.has_errors()) return;
    if (!rules.by_head.contains(query) && !asked.needed) return;
    if (!rules.by_head.contains(query))
        return diagnostics.report(codes::bad_declaration, program.sources->whole_file(file),
                                  "the program asks for nothing", "add what is asked: query(p(X)).");
    Resolution resolution(rules, diagnostics);
    try {
        resolution.resolve();
    } catch (const ResolutionError& error) {
        const Span own = error.rule == no_rule ? Span() : rules.rules[error.rule].span;  // none: the library's
        const Span span = own.is_none() ? program.sources->whole_file(file) : own;
        diagnostics.report(codes::evaluation, span, error.what(), error.advice);
        return;
    }
    write_program(rules, resolution.ground(), program.sources->whole_file(file), program);
}

}  // namespace neumann::resolution
