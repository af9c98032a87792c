// Base64 encoding and decoding, for images in SVG, HTML and JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace neumann {

std::string base64(std::string_view bytes);

// The bytes; nothing for text that is not Base64 with its padding.
std::optional<std::string> from_base64(std::string_view text);

// "data:image/png;base64,…" for the bytes of a PNG or JPEG file.
std::string picture_address(std::string_view bytes);

}  // namespace neumann
