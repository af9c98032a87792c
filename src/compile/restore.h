// Restoring the clauses and sentence templates that a saved graph keeps as texts, for explanations.
#pragma once

#include "ground/compiled_program.h"

namespace neumann {

// Fills program.clauses, numbered as in the graph, and program.sayings of a program that was loaded from a file. Spans
// lie in a source of their own; where a clause stood is in compiled.clauses. Does nothing for other programs, and
// nothing the second time. Throws DamagedFile if a text does not read.
void restore_texts(CompiledProgram& compiled);

}  // namespace neumann
