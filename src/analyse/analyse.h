// The checks that a resolved program goes through before it is grounded: one pass per file, one ordered list of passes.
#pragma once

#include "base/diagnostics.h"
#include "logic/program.h"

namespace neumann {

struct AnalyseOptions {
    bool full_grounding = false;  // every type must be finite, not only those that a rule ranges over
};

// Reports what is wrong; removes clauses and facts that stand twice and facts that cannot hold. Where reading has
// reported errors already, only what can be said of single clauses is added.
void analyse(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);

// Reports probabilities that have to be learned before anything can be computed, t(_)::.
void require_known_parameters(const Program& program, Diagnostics& diagnostics);

}  // namespace neumann
