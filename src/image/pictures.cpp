#include "image/pictures.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "base/files.h"
#include "base/mapped_file.h"
#include "image/jpeg.h"
#include "image/png.h"

namespace neumann {
namespace {

using namespace std::string_view_literals;

// Magic number of a file format: the bytes at a position near the beginning of the file.
struct Kind {
    std::string_view name;
    std::size_t at;
    std::string_view bytes;
};
constexpr Kind png{"a PNG picture", 0, "\x89PNG\r\n\x1a\n"};
constexpr Kind jpeg{"a JPEG picture", 0, "\xff\xd8\xff"};
constexpr std::array other_pictures{
    Kind{"a GIF picture", 0, "GIF87a"},       Kind{"a GIF picture", 0, "GIF89a"},
    Kind{"a WebP picture", 8, "WEBP"},        Kind{"a BMP picture", 0, "BM"},
    Kind{"a TIFF picture", 0, "II*\0"sv},     Kind{"a TIFF picture", 0, "MM\0*"sv},
    Kind{"a HEIC picture", 4, "ftyphei"},     Kind{"a HEIC picture", 4, "ftypmif1"},
    Kind{"an AVIF picture", 4, "ftypavi"},    Kind{"a JPEG 2000 picture", 4, "jP  "},
    Kind{"a JPEG XL picture", 0, "\xff\x0a"}, Kind{"a JPEG XL picture", 4, "JXL "},
    Kind{"a Photoshop picture", 0, "8BPS"},   Kind{"a PDF document", 0, "%PDF"},
};

bool is(const Kind& kind, std::string_view text) {
    return text.size() >= kind.at && text.substr(kind.at).starts_with(kind.bytes);
}

// Why this file cannot be read as an image, and what the user can do.
std::string refusal(std::string_view text) {
    if (text.empty()) return "is empty";
    for (const Kind& kind : other_pictures)
        if (is(kind, text))
            return fmt::format("is {}; PNG and JPEG are read: convert it, for example with ImageMagick's 'convert'",
                               kind.name);
    if (text.substr(0, 1024).find("<svg") != text.npos)
        return "is an SVG drawing; PNG and JPEG are read: draw it, for example with 'rsvg-convert'";
    if (text.starts_with("version https://git-lfs"))
        return "is a pointer that Git LFS left in place of the file; 'git lfs pull' gets the file";
    if (png.bytes.starts_with(text) || jpeg.bytes.starts_with(text)) return "ends too early";
    return "is not a picture that can be read; PNG and JPEG are";
}

// Three channels: blends any opacity over white.
Image over_white(Image picture) {
    if (picture.channels == 3) return picture;
    Image result = Image::blank(picture.width, picture.height, 3);
    const unsigned from_channels = picture.channels;
    const bool grey = from_channels <= 2;
    const bool opacity = from_channels == 2 || from_channels == 4;
    const std::uint8_t* from = picture.data.data();
    for (std::uint8_t* to = result.data.data(); to != result.data.data() + result.data.size(); to += 3) {
        const unsigned alpha = opacity ? from[from_channels - 1] : 255;
        for (unsigned c = 0; c < 3; ++c)
            to[c] = static_cast<std::uint8_t>((from[grey ? 0 : c] * alpha + 255 * (255 - alpha) + 127) / 255);
        from += from_channels;
    }
    return result;
}

}  // namespace

Image read_picture(const std::filesystem::path& path, const PictureLimits& limits, std::string* note) {
    return parse_picture(MappedFile::open(path)->bytes(), path.string(), limits, note);
}

Image parse_picture(std::span<const std::byte> bytes, const std::string& name, const PictureLimits& limits,
                    std::string* note) {
    if (note != nullptr) note->clear();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    Image picture;
    if (is(png, text)) {
        DecodedPng decoded = parse_png(bytes, name, limits.most_pixels);
        if (note != nullptr && decoded.frames > 1)
            *note = fmt::format("animated: the first of {} frames", decoded.frames);
        picture = over_white(std::move(decoded.image));
    } else if (is(jpeg, text)) {
        picture = parse_jpeg(bytes, name, limits.most_pixels);
    } else {
        throw FileError(fmt::format("'{}' {}", name, refusal(text)));
    }
    if (std::min(picture.width, picture.height) < limits.least_side)
        throw FileError(fmt::format("'{}' has {}×{} pixels; pictures are at least {} wide and high", name,
                                    picture.width, picture.height, limits.least_side));
    return picture;
}

bool is_picture_name(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

}  // namespace neumann
