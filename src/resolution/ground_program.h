// Ground instances of rules as a program whose predicates have no arguments.
#pragma once

#include "logic/program.h"
#include "resolution/ground_rules.h"

namespace neumann::resolution {

// Adds predicates, facts, clauses, queries and evidence; only what queries and evidence depend on. `whole` is the place
// of what no rule of the program says, such as rules of the library.
void write_program(const Rules& rules, const GroundRules& ground, Span whole, Program& program);

}  // namespace neumann::resolution
