// JPEG decoder, used by read_image.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "image/image.h"

namespace neumann {

// Three channels. Baseline and progressive, grey, colour, and the four inks of printing (CMYK, YCCK; converted without
// a colour profile). Throws FileError for damaged and truncated files and for more than `most_pixels`; messages name
// the file as `name`.
Image parse_jpeg(std::span<const std::byte> bytes, const std::string& name, std::uint64_t most_pixels);

}  // namespace neumann
