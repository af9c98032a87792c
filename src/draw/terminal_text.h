// Text layout for the terminal: line breaking and display width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neumann {

// In characters; East Asian ones, which terminals draw two columns wide, count twice.
std::size_t columns_of(std::string_view text);

// Line breaks and tabs as \n and \t, other control characters, to which a terminal might listen, as U+FFFD.
std::string one_line(std::string_view text);

// At most this many columns; a text that is cut ends with ….
std::string cut_to(const std::string& text, std::size_t columns);

// Lines of at most `width` columns where words allow it, each ended by a newline. The first begins with `first`, the
// others with `next`.
std::string wrapped(std::string_view text, std::size_t width, const std::string& first, const std::string& next);

}  // namespace neumann
