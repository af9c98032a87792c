// Base64 encoding, for images inside of SVG and HTML files.
#pragma once

#include <string>
#include <string_view>

namespace neumann {

std::string base64(std::string_view bytes);

// "data:image/png;base64,…" for the bytes of a PNG or JPEG file.
std::string picture_address(std::string_view bytes);

}  // namespace neumann
