// Checks of a resolved program before grounding: one pass per file, one ordered list of passes.
#pragma once

#include "base/diagnostics.h"
#include "logic/program.h"

namespace neumann {

struct AnalyseOptions {
    bool full_grounding = false;  // every type must be finite, not only the types that a rule ranges over
};

// Reports errors; removes duplicate clauses and facts, and facts that cannot hold. If reading has already reported
// errors, adds only errors of single clauses.
void analyse(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);

// Reports probabilities that have to be learned before anything can be computed, t(_)::.
void require_known_parameters(const Program& program, Diagnostics& diagnostics);

}  // namespace neumann
