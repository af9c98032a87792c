// Source-preserving analysis: checks of programs that are then printed as they were written.
#pragma once

#include "base/diagnostics.h"
#include "logic/program.h"

namespace neumann {

// Analyses a program. Analysis puts other clauses in the place of aggregates; a program that has any stays as it is.
void analyse_as_written(Program& program, Diagnostics& diagnostics);

}  // namespace neumann
