// Writers of programs in other languages. Features without an equivalent there are reported by name.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "logic/program.h"

namespace neumann::interchange {

struct WriteOptions {
    // For languages without probabilities: possible atoms hold. Otherwise probabilities are refused.
    bool drop_probabilities = false;
};

// The program is one that analysis has nothing against. Aggregates stand in it as they were written.
std::string write_asp(const Program& program, const WriteOptions& options, Diagnostics& diagnostics);
std::string write_problog(const Program& program, Diagnostics& diagnostics);

// The files of a folder of the original, by their names. `notes` lists the options that the folder then needs.
std::vector<std::pair<std::string, std::string>> write_folder(const Program& program, Diagnostics& diagnostics,
                                                              std::vector<std::string>& notes);

// A comment line that lists the parts of a program without an equivalent in other languages, such as sentence
// templates; empty if there are none.
std::string left_out(const Program& program);

}  // namespace neumann::interchange
