// Text in SVG: escaping, and estimated width.
#pragma once

#include <string>
#include <string_view>

namespace neumann {

// As XML wants it. Line breaks and tabs become spaces, other control characters, which XML cannot write, U+FFFD.
std::string escaped(std::string_view text);

// How wide a text is at a font size: an estimate on the large side, as fonts differ. In ems, `narrow` is the width of a
// character, `square` that of an East Asian one.
double text_width(std::string_view text, double size, double narrow = 0.6, double square = 1);

}  // namespace neumann
