#include <fmt/format.h>

#include "analyse/passes.h"
#include "logic/substitution.h"

namespace neumann {

// Disequations and negated literals only filter: their variables must get their values from an atom.
void check_safety(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    for (const Clause& clause : program.clauses) {
        const std::optional<SolvedClause> solved = solve_constraints(program.terms, clause);
        if (!solved) continue;
        std::vector<bool> in_atom(clause.variables.size(), false);
        const auto mark = [&](std::uint32_t v) { in_atom[v] = true; };
        for (TermId arg : solved->head.args) for_each_variable(program.terms, arg, mark);
        for (const Literal& goal : solved->body) {
            if (goal.negated) continue;
            for (TermId arg : goal.atom.args) for_each_variable(program.terms, arg, mark);
        }
        const auto check_in = [&](TermId term, const char* where) {
            for_each_variable(program.terms, term, [&](std::uint32_t v) {
                if (in_atom[v]) return;
                diagnostics.report(codes::unsafe_variable, clause.variables[v].span,
                                   fmt::format("variable '{}' occurs only in {}", clause.variables[v].name, where),
                                   "it must also occur in the head or in an atom of the body");
            });
        };
        for (const Constraint& c : solved->disequations) {
            check_in(c.left, "a constraint");
            check_in(c.right, "a constraint");
        }
        for (const Constraint& c : solved->disequations) {  // said already
            for_each_variable(program.terms, c.left, mark);
            for_each_variable(program.terms, c.right, mark);
        }
        for (const Literal& goal : solved->body) {
            if (!goal.negated) continue;
            for (TermId arg : goal.atom.args) {
                check_in(arg, "a negated literal");
                for_each_variable(program.terms, arg, mark);
            }
        }
    }
}

}  // namespace neumann
