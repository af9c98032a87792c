// Conversion of ground instances of rules to a program whose predicates have no arguments.
#pragma once

#include "logic/program.h"
#include "resolution/ground_rules.h"

namespace neumann::resolution {

// Adds predicates, facts, clauses, queries and evidence; only those that queries and evidence depend on. `whole` is the
// position of rules outside the program, such as rules of the library.
void write_program(const Rules& rules, const GroundRules& ground, Span whole, Program& program);

}  // namespace neumann::resolution
