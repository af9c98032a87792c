#include <fmt/format.h>

#include "analyse/passes.h"
#include "logic/print.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

constexpr std::size_t most_arguments = 31;  // known arguments are bits of a 32-bit mask
constexpr std::size_t most_variables = 64;  // telling variables apart takes time beyond this
constexpr std::size_t most_goals = 256;
constexpr std::size_t largest_clause = 10'000;  // symbols, after solving its equations

}  // namespace

void check_limits(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    const auto check_arity = [&](const auto& decl, const char* what) {
        if (decl.args.size() <= most_arguments) return;
        diagnostics.report(codes::too_large, decl.span,
                           fmt::format("{} '{}' has {} arguments; at most {} are possible", what, decl.name,
                                       decl.args.size(), most_arguments));
    };
    for (const PredicateDecl& predicate : program.signature.predicates()) check_arity(predicate, "predicate");
    for (const FunctorDecl& functor : program.signature.functors()) check_arity(functor, "functor");
    for (const auto* clauses : {&program.clauses, &program.initial}) {
        for (const Clause& clause : *clauses) {
            if (clause.variables.size() > most_variables ||
                clause.body.size() + clause.constraints.size() > most_goals) {
                diagnostics.report(
                    codes::too_large, clause.span,
                    fmt::format("a clause with {} variables and {} goals; at most {} and {} are possible",
                                clause.variables.size(), clause.body.size() + clause.constraints.size(), most_variables,
                                most_goals),
                    "split it with predicates of your own");
                continue;
            }
            const std::optional<SolvedClause> solved = solve_constraints(program.terms, clause);
            if (solved && written_size(program.terms, *solved, largest_clause) == largest_clause) {
                diagnostics.report(
                    codes::too_large, clause.span,
                    fmt::format("this clause has more than {} symbols once its equations are solved", largest_clause));
            }
        }
    }
}

}  // namespace neumann
