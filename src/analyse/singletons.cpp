#include <fmt/format.h>

#include "analyse/passes.h"
#include "logic/substitution.h"

namespace neumann {

// Folders are the original's, where a variable that occurs once is the custom; directives declare rather than assert.
void check_singletons(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    if (program.from_folder) return;
    for (const Clause& clause : program.clauses) {
        std::vector<unsigned> uses(clause.variables.size(), 0);
        const auto count = [&](std::uint32_t v) { ++uses[v]; };
        const auto count_in = [&](TermId term) { for_each_variable(program.terms, term, count); };
        for (TermId arg : clause.head.args) count_in(arg);
        for (const Literal& goal : clause.body) {
            for (TermId arg : goal.atom.args) count_in(arg);
        }
        for (const Constraint& c : clause.constraints) {
            count_in(c.left);
            count_in(c.right);
        }
        for (std::size_t v = 0; v < uses.size(); ++v) {
            const ClauseVariable& variable = clause.variables[v];
            if (uses[v] != 1 || variable.name.starts_with('_')) continue;
            diagnostics.report(codes::singleton_variable, variable.span,
                               fmt::format("variable '{}' occurs only once in this clause", variable.name),
                               fmt::format("a typing mistake? If not, write _ or _{}", variable.name));
        }
    }
}

}  // namespace neumann
