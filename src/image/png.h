// PNG files with 8 bits per channel: reading and writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "image/image.h"

namespace neumann {

// The bytes of a file: grey for one channel, RGB for three. Throws FileError; std::invalid_argument for an image that
// no file can hold.
std::string encode_png(const Image& image);

// The file is either complete or not there. Throws as encode_png.
void write_png(const std::filesystem::path& path, const Image& image);

// Three channels, or one if the file is grey. Palettes and other depths are converted, transparency is dropped. Throws
// FileError for a file that is not a whole, undamaged PNG of at most 2²⁸ pixels.
Image read_png(const std::filesystem::path& path);

struct DecodedPng {
    Image image;               // grey, grey and opacity, RGB, or RGB and opacity: one to four channels
    std::uint32_t frames = 1;  // more: an animation (APNG), of which the image is the default image
};

// The same for bytes in memory, with the opacity that read_png drops; messages name the file as `name`.
DecodedPng parse_png(std::span<const std::byte> bytes, const std::string& name, std::uint64_t most_pixels);

}  // namespace neumann
