#include <map>
#include <utility>

#include <fmt/format.h>

#include "analyse/passes.h"
#include "logic/canonical.h"

namespace neumann {

void merge_duplicate_clauses(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> kept_by_key;
    std::vector<Clause> kept;
    for (Clause& clause : program.clauses) {
        const std::optional<SolvedClause> solved = solve_constraints(program.terms, clause);
        if (!solved) {
            diagnostics.report(codes::never_true, clause.span,
                               "this clause can never fire: its constraints contradict each other", "it is left out");
            continue;
        }
        const CanonicalClause canonical = canonicalize(program.terms, *solved, clause.variables.size());
        std::vector<std::size_t>& same = kept_by_key[canonical.key];
        bool merged = false;
        for (std::size_t first : same) {
            if (clause.parameter || kept[first].parameter) continue;  // each is learned for itself
            if (kept[first].choice != clause.choice || kept[first].weight_value() != clause.weight_value()) continue;
            merged = true;
            // If one of them has a weight that may change, so does the merged clause.
            kept[first].certain = kept[first].certain && clause.certain;
            if (!kept[first].weight) kept[first].weight = clause.weight;
        }
        if (!same.empty() && !clause.parameter) {
            diagnostics.report(
                codes::duplicate_clause, clause.span,
                merged ? "this clause stands twice; it is kept once"
                       : "this clause stands twice, with different weights; both are kept",
                merged ? "" : "their values are combined by the soft-or, like any two clauses",
                {{kept[same.front()].span, "the same clause, up to names of variables and order of goals"}});
        }
        if (merged) continue;
        same.push_back(kept.size());
        kept.push_back(std::move(clause));
    }
    program.clauses = std::move(kept);
}

}  // namespace neumann
