// Source-preserving output: programs that are checked and then printed with their original text.
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "logic/program.h"

namespace neumann {

// Analyses a program. Analysis puts other clauses in the place of aggregates; a program that has any stays as it is.
void analyse_as_written(Program& program, Diagnostics& diagnostics);

// As text of the single-file language, where lists are declared and printed as such.
std::string print_as_file(Program& program);

}  // namespace neumann
