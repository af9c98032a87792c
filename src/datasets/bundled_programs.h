// Programs of examples/ that are part of the library: each generated data set is written together with its program.
#pragma once

#include <string_view>

namespace neumann {

std::string_view bundled_program_text(std::string_view name);  // "kandinsky/closeby.nm"; empty: there is none

}  // namespace neumann
