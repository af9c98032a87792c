#include "analyse/passes.h"

namespace neumann {
namespace {

using Pass = void (*)(Program&, const AnalyseOptions&, Diagnostics&);

// Later passes may rely on the removals of earlier ones.
constexpr Pass passes[] = {
    check_empty_types,     check_singletons,      check_stratification, rewrite_aggregates, merge_duplicate_clauses,
    drop_impossible_facts, merge_duplicate_facts, apply_evidence,       check_safety,       check_boundedness,
    check_derivability,
};

}  // namespace

void analyse(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics) {
    const bool read_well = !diagnostics.has_errors();
    if (!program.vocabulary_complete) return;  // further reports would only repeat that
    check_limits(program, options, diagnostics);
    if (read_well && !diagnostics.has_errors()) {
        for (Pass pass : passes) pass(program, options, diagnostics);
    } else if (!read_well) {
        // Some clauses are missing, so checks of the whole program could be wrong; each remaining clause can still be
        // checked.
        check_safety(program, options, diagnostics);
        check_boundedness(program, options, diagnostics);
    }
}

}  // namespace neumann
