// Output of `neumann check`: problems and vocabulary as JSON, the vocabulary as text.
#pragma once

#include <string>
#include <vector>

#include <neumann/check.h>

namespace neumann {

// The problems of programs as JSON, each with its place; with `types`, the vocabulary of each program too. Ends with a
// line break, as all that follows.
std::string check_json(const std::vector<ProgramCheck>& checks, bool types = false);

// The vocabulary of a program: its predicates, its types, and the reasons for them.
std::string types_text(const ProgramCheck& check);

}  // namespace neumann
