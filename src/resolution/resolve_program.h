// Resolution of a ProbLog program to a ground program, from its queries and evidence: each atom that can hold becomes a
// predicate of its own without arguments, named as the atom is written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "logic/program.h"

namespace neumann::resolution {

struct Asked {
    std::vector<std::string> queries;  // if there are any, they replace the program's own
    std::string from = "--query";      // their source in diagnostics
    bool needed = true;                // without any query there is an error, or nothing to resolve
};

// `file` is the program's text in `program.sources`; the rest of the program is empty before.
void resolve_program(std::uint32_t file, const Asked& asked, Program& program, Diagnostics& diagnostics);

}  // namespace neumann::resolution
