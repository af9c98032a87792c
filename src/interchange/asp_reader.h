// Translation of an answer set program to text of the single-file language.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace neumann::interchange {

// The text of file number `file`, which has the same model as far as the program is stratified; reports rules without
// meaning here. `notes` lists omitted parts.
std::string read_asp(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                     std::vector<std::string>& notes);

}  // namespace neumann::interchange
