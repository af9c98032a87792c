// Programs of examples/ that are part of the command, so that what it generates comes with the program it is for.
#pragma once

#include <string_view>

namespace neumann::app {

std::string_view bundled_program_text(std::string_view name);  // "kandinsky/closeby.nm"; empty: there is none

}  // namespace neumann::app
