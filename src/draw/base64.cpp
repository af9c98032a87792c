#include "draw/base64.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace neumann {

namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t no_digit = 64;

constexpr std::array<std::uint8_t, 256> values_of_digits() {
    std::array<std::uint8_t, 256> values{};
    values.fill(no_digit);
    for (std::uint8_t i = 0; i < no_digit; ++i) values[static_cast<unsigned char>(digits[i])] = i;
    return values;
}

}  // namespace

std::string base64(std::string_view bytes) {
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

std::optional<std::string> from_base64(std::string_view text) {
    static constexpr std::array<std::uint8_t, 256> values = values_of_digits();
    if (text.size() % 4 != 0) return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    const std::string_view used = text.substr(0, text.size() - padding);
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    unsigned known = 0;
    for (const char c : used) {
        const std::uint8_t value = values[static_cast<unsigned char>(c)];
        if (value == no_digit) return std::nullopt;
        bits = bits << 6 | value;
        known += 6;
        if (known < 8) continue;
        known -= 8;
        bytes += static_cast<char>(bits >> known);
        bits &= (1U << known) - 1;
    }
    return bits == 0 ? std::optional(std::move(bytes)) : std::nullopt;
}

std::string picture_address(std::string_view bytes) {
    return std::string("data:image/") + (bytes.starts_with("\xFF\xD8") ? "jpeg" : "png") + ";base64," + base64(bytes);
}

}  // namespace neumann
