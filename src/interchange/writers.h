// A program as text of other languages. What they cannot hold is reported by name.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "logic/program.h"

namespace neumann::interchange {

struct WriteOptions {
    // For languages without probabilities: what is possible holds. Otherwise probabilities are refused.
    bool drop_probabilities = false;
};

// The program is one that analysis has nothing against. Aggregates stand in it as they were written.
std::string write_asp(const Program& program, const WriteOptions& options, Diagnostics& diagnostics);
std::string write_problog(const Program& program, Diagnostics& diagnostics);

// The files of a folder of the original, by their names. `notes` tells what the folder says only with options.
std::vector<std::pair<std::string, std::string>> write_folder(const Program& program, Diagnostics& diagnostics,
                                                              std::vector<std::string>& notes);

// A line of comment about what the program says that other languages do not, such as sayings; empty if there is
// nothing.
std::string left_out(const Program& program);

}  // namespace neumann::interchange
