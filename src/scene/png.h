// Pictures in files: PNG with 8 bits per channel.
#pragma once

#include <filesystem>

#include "scene/image.h"

namespace neumann {

// Grey for one channel, RGB for three. The file is either complete or not there. Throws FileError;
// std::invalid_argument for an image that no file can hold.
void write_png(const std::filesystem::path& path, const Image& image);

// Three channels, or one where the file holds grey. Palettes and other depths are converted, transparency is dropped.
// Throws FileError for whatever is not a whole, undamaged PNG of at most 2²⁸ pixels.
Image read_png(const std::filesystem::path& path);

}  // namespace neumann
