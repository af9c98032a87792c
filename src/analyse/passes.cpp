#include "analyse/passes.h"

namespace neumann {
namespace {

using Pass = void (*)(Program&, const AnalyseOptions&, Diagnostics&);

// Later passes may rely on what earlier ones removed.
constexpr Pass passes[] = {
    check_empty_types,     check_singletons, merge_duplicate_clauses, drop_impossible_facts,
    merge_duplicate_facts, check_safety,     check_boundedness,       check_derivability,
};

}  // namespace

void analyse(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics) {
    // Beyond these limits the other passes would take too long to say anything.
    check_limits(program, options, diagnostics);
    if (diagnostics.has_errors()) return;
    for (Pass pass : passes) pass(program, options, diagnostics);
}

}  // namespace neumann
