// Bitmap font of five by seven dots for text in raster images. Capital letters, digits and a few signs.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "image/image.h"

namespace neumann {

using Colour = std::array<std::uint8_t, 3>;

inline constexpr unsigned glyph_width = 5;
inline constexpr unsigned glyph_height = 7;
inline constexpr unsigned glyph_advance = glyph_width + 1;

// Draws a text with its upper left corner there, each dot `scale` pixels wide. Small letters become capitals, unknown
// characters blanks; parts outside of the image are left out.
void draw_small_text(Image& picture, int left, int top, std::string_view text, unsigned scale, const Colour& colour);

// Fills the part of a rectangle that lies in the image.
void fill_rectangle(Image& picture, int left, int top, int right, int bottom, const Colour& colour);

}  // namespace neumann
