#include <fmt/format.h>

#include "analyse/passes.h"
#include "logic/substitution.h"

namespace neumann {

// A disequation only filters: its variables must get their values from an atom.
void check_safety(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    for (const Clause& clause : program.clauses) {
        const std::optional<SolvedClause> solved = solve_constraints(program.terms, clause);
        if (!solved) continue;
        std::vector<bool> in_atom(clause.variables.size(), false);
        const auto mark = [&](std::uint32_t v) { in_atom[v] = true; };
        for (TermId arg : solved->head.args) for_each_variable(program.terms, arg, mark);
        for (const Atom& goal : solved->body) {
            for (TermId arg : goal.args) for_each_variable(program.terms, arg, mark);
        }
        for (const Constraint& c : solved->disequations) {
            const auto check = [&](std::uint32_t v) {
                if (in_atom[v]) return;
                diagnostics.report(codes::unsafe_variable, clause.variables[v].span,
                                   fmt::format("variable '{}' occurs only in a constraint", clause.variables[v].name),
                                   "it must also occur in the head or in an atom of the body");
            };
            for_each_variable(program.terms, c.left, check);
            for_each_variable(program.terms, c.right, check);
        }
    }
}

}  // namespace neumann
