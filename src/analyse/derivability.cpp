#include <vector>

#include <fmt/format.h>

#include "analyse/passes.h"
#include "logic/print.h"

namespace neumann {

void check_derivability(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    std::vector<bool> has_source(program.signature.predicates().size(), false);
    for (std::size_t p = 0; p < has_source.size(); ++p) {
        const PredicateDecl& predicate = program.signature.predicates()[p];
        has_source[p] = predicate.neural || predicate.internal;
    }
    for (std::size_t i = 0; i < program.facts.size(); ++i) has_source[program.facts[i].predicate.index()] = true;
    for (const Clause& clause : program.clauses) has_source[clause.head.predicate.index()] = true;
    for (const LearnTarget& target : program.learn) has_source[target.predicate.index()] = true;
    for (const Clause& clause : program.clauses) {
        for (const auto& [goal, negated] : clause.body) {
            if (has_source[goal.predicate.index()]) continue;
            const PredicateDecl& predicate = program.signature.predicate(goal.predicate);
            diagnostics.report(codes::never_derived, goal.span,
                               fmt::format("'{}' has no facts and no clauses and is not neural: this goal {} holds",
                                           print_indicator(predicate), negated ? "always" : "never"),
                               "declare it :- neural(…) if its values come from outside");
        }
    }
}

}  // namespace neumann
