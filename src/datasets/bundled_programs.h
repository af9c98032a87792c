// Programs of examples/ that are part of the library, so that what is generated comes with the program it is for.
#pragma once

#include <string_view>

namespace neumann {

std::string_view bundled_program_text(std::string_view name);  // "kandinsky/closeby.nm"; empty: there is none

}  // namespace neumann
