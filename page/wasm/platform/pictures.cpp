// Pictures are written as PNG without compression, and not read: what the page draws is shown and thrown away.
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/files.h"
#include "image/jpeg.h"
#include "image/png.h"

namespace neumann {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t n = 0; n < 256; ++n) {
        std::uint32_t c = n;
        for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? 0xEDB88320U ^ (c >> 1U) : c >> 1U;
        table[n] = c;
    }
    return table;
}

std::uint32_t crc(std::string_view bytes) {
    static constexpr std::array<std::uint32_t, 256> table = make_crc_table();
    std::uint32_t c = ~0U;
    for (const char byte : bytes) c = table[(c ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ (c >> 8U);
    return ~c;
}

std::string big_endian(std::uint32_t number) {
    return {static_cast<char>(number >> 24U), static_cast<char>(number >> 16U), static_cast<char>(number >> 8U),
            static_cast<char>(number)};
}

std::string chunk(std::string_view kind, const std::string& data) {
    const std::string body = std::string(kind) + data;
    return big_endian(static_cast<std::uint32_t>(data.size())) + body + big_endian(crc(body));
}

// A zlib stream of stored blocks.
std::string stored(const std::string& bytes) {
    constexpr std::size_t most = 65535;
    std::string result = "\x78\x01";
    for (std::size_t at = 0; at < bytes.size(); at += most) {
        const std::size_t size = std::min(most, bytes.size() - at);
        const auto low = static_cast<char>(size & 0xFFU);
        const auto high = static_cast<char>(size >> 8U);
        result += at + size == bytes.size() ? '\1' : '\0';
        result += {low, high, static_cast<char>(~low), static_cast<char>(~high)};
        result.append(bytes, at, size);
    }
    std::uint32_t a = 1;
    std::uint32_t b = 0;
    for (const char byte : bytes) {
        a = (a + static_cast<unsigned char>(byte)) % 65521;
        b = (b + a) % 65521;
    }
    return result + big_endian((b << 16U) | a);
}

}  // namespace

std::string encode_png(const Image& image) {
    if (image.width == 0 || image.height == 0 || (image.channels != 1 && image.channels != 3))
        throw std::invalid_argument("this image cannot be written");
    std::string rows;
    const std::size_t row = std::size_t{image.width} * image.channels;
    for (unsigned y = 0; y < image.height; ++y) {
        rows += '\0';
        rows.append(reinterpret_cast<const char*>(image.at(0, y)), row);
    }
    const std::string header = big_endian(image.width) + big_endian(image.height) + '\x08' +
                               (image.channels == 1 ? '\0' : '\2') + std::string(3, '\0');
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", stored(rows)) + chunk("IEND", {});
}

void write_png(const std::filesystem::path& path, const Image& image) { write_file(path, encode_png(image)); }

Image read_png(const std::filesystem::path& path) { throw FileError(path.string() + ": the page reads no pictures"); }

DecodedPng parse_png(std::span<const std::byte> /*bytes*/, const std::string& name, std::uint64_t /*most_pixels*/) {
    throw FileError(name + ": the page reads no pictures");
}

Image parse_jpeg(std::span<const std::byte> /*bytes*/, const std::string& name, std::uint64_t /*most_pixels*/) {
    throw FileError(name + ": the page reads no pictures");
}

}  // namespace neumann
