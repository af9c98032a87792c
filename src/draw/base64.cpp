#include "draw/base64.h"

#include <cstddef>
#include <cstdint>

namespace neumann {

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k)
            three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? digits[three >> (18 - 6 * k) & 63U] : '=';
    }
    return text;
}

std::string picture_address(std::string_view bytes) {
    return std::string("data:image/") + (bytes.starts_with("\xFF\xD8") ? "jpeg" : "png") + ";base64," + base64(bytes);
}

}  // namespace neumann
