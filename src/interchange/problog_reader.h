// Translation of a ProbLog program to the single-file language, which is nearly the same: lines and comments stay.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace neumann::interchange {

// Probabilities to be learned for each instance, t(0.5,X)::, are kept as probabilities, libraries are left out, and a
// fact that stands twice becomes clauses, as each is a chance of its own there. Predicates of ProbLog's libraries that
// the program uses are reported.
std::string read_problog(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                         std::vector<std::string>& notes);

}  // namespace neumann::interchange
