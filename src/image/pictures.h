// Pictures from files, of whatever kind people have them: 8 or 16 bits, grey, palettes, with transparency, PNG or JPEG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "image/image.h"

namespace neumann {

struct PictureLimits {
    std::uint64_t most_pixels = 1ULL << 26;  // larger ones are refused before they are read
    unsigned least_side = 16;                // smaller ones show nothing that could be recognised
};

// Three channels, 8 bits, transparency laid over white. Of an animated picture the first frame. `note`, if not null,
// receives what a user would want to know ("animated: the first of 12 frames"), else it is left empty. The content
// decides what a file is, not its name. How a camera was held (EXIF orientation) and colour profiles are ignored.
// Throws FileError: unreadable, truncated, no picture, of a kind that is not read (with what to do), too large or
// small.
Image read_picture(const std::filesystem::path& path, const PictureLimits& limits = {}, std::string* note = nullptr);

// The same for bytes in memory; `name` stands for the file in messages.
Image parse_picture(std::span<const std::byte> bytes, const std::string& name, const PictureLimits& limits = {},
                    std::string* note = nullptr);

// Whether a name ends like one of a picture that read_picture knows (.png, .jpg, .jpeg; any case).
bool is_picture_name(const std::filesystem::path& path);

// Every pixel of the result is the average of the area that it covers in the picture (enlarging: linear between
// middles), computed exactly and rounded once, halves upwards. The picture is squashed to the given size, not cropped.
// Channels stay as they are. Throws std::invalid_argument for sides of 0 or beyond reason.
Image resized(const Image& picture, unsigned width, unsigned height);

}  // namespace neumann
