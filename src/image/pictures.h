// Image files of all common kinds: PNG or JPEG, 8 or 16 bits, grey, palettes, with transparency.
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

// Three channels, 8 bits, transparency laid over white. Of an animated image the first frame. `note`, if not null,
// receives a remark for the user ("animated: the first of 12 frames"), else it is left empty. The content decides the
// format of a file, not its name. EXIF orientation and colour profiles are ignored. Throws FileError: unreadable,
// truncated, not an image, of an unsupported format (with advice), too large or small.
Image read_picture(const std::filesystem::path& path, const PictureLimits& limits = {}, std::string* note = nullptr);

// The same for bytes in memory; messages name the file as `name`.
Image parse_picture(std::span<const std::byte> bytes, const std::string& name, const PictureLimits& limits = {},
                    std::string* note = nullptr);

// Whether a name has an extension that read_image supports (.png, .jpg, .jpeg; any case).
bool is_picture_name(const std::filesystem::path& path);

// Every pixel of the result is the average of the area that it covers in the image (enlarging: linear between middles),
// computed exactly and rounded once, halves upwards. The image is stretched to the given size, not cropped. Channels
// stay as they are. Throws std::invalid_argument for sides of 0 or beyond the limits.
Image resized(const Image& picture, unsigned width, unsigned height);

}  // namespace neumann
