#include "image/png.h"

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <png.h>

#include "base/files.h"

namespace neumann {
namespace {

constexpr std::uint64_t most_pixels_of_ours = 1ULL << 28;

// libpng reports errors by a jump (longjmp). A jump over C++ objects is not allowed, so the callbacks and the functions
// that are jumped over are plain functions on plain data; texts and exceptions come afterwards.
struct Failure {
    char text[200] = {};
};

void note(png_structp png, png_const_charp text) {
    auto* failure = static_cast<Failure*>(png_get_error_ptr(png));
    std::snprintf(failure->text, sizeof failure->text, "%s", text);
    png_longjmp(png, 1);
}
void ignore(png_structp, png_const_charp) {}

void append(png_structp png, png_bytep data, png_size_t size) {
    auto* out = static_cast<std::vector<std::uint8_t>*>(png_get_io_ptr(png));
    bool enough = true;
    try {
        out->insert(out->end(), data, data + size);
    } catch (const std::bad_alloc&) {
        enough = false;
    }
    if (!enough) png_error(png, "not enough memory");
}
void flush(png_structp) {}

void take_from_file(png_structp png, png_bytep data, png_size_t size) {
    auto* file = static_cast<std::FILE*>(png_get_io_ptr(png));
    if (std::fread(data, 1, size, file) != size)
        png_error(png, std::ferror(file) != 0 ? "cannot be read" : "ends too early");
}

void take_from_memory(png_structp png, png_bytep data, png_size_t size) {
    auto* rest = static_cast<std::span<const std::byte>*>(png_get_io_ptr(png));
    if (rest->size() < size) png_error(png, "ends too early");
    std::memcpy(data, rest->data(), size);
    *rest = rest->subspan(size);
}

bool encode(png_structp png, png_infop info, const Image& image, std::vector<png_bytep>& rows) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_compression_level(png, 2);  // files grow by a few percent, writing takes half the time
    png_set_IHDR(png, info, image.width, image.height, 8,
                 image.channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_write_image(png, rows.data());
    png_write_end(png, info);
    return true;
}

// libpng does not decode animations; their number of frames is in a chunk before the image data.
std::uint32_t count_frames(png_structp png, png_infop info) {
    png_unknown_chunkp chunks = nullptr;
    const int count = png_get_unknown_chunks(png, info, &chunks);
    for (int k = 0; k < count; ++k)
        if (std::memcmp(chunks[k].name, "acTL", 4) == 0 && chunks[k].size >= 4) return png_get_uint_32(chunks[k].data);
    return 1;
}

bool decode_header(png_structp png, png_infop info, std::uint64_t most_pixels, bool keep_opacity, DecodedPng& decoded) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    static constexpr png_byte animation[] = "acTL";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, animation, 1);
    png_read_info(png, info);
    if (std::uint64_t{png_get_image_width(png, info)} * png_get_image_height(png, info) > most_pixels)
        png_error(png, "has too many pixels");
    decoded.frames = count_frames(png, info);
    png_set_expand(png);
    png_set_scale_16(png);
    if (!keep_opacity) png_set_strip_alpha(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    Image& image = decoded.image;
    image.width = png_get_image_width(png, info);
    image.height = png_get_image_height(png, info);
    image.channels = png_get_channels(png, info);
    const bool opacity = image.channels == 2 || image.channels == 4;
    if (image.channels > 4 || (opacity && !keep_opacity) ||
        png_get_rowbytes(png, info) != std::size_t{image.width} * image.channels)
        png_error(png, "has an unknown kind of pixels");
    return true;
}

bool decode_rows(png_structp png, std::vector<png_bytep>& rows) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_read_image(png, rows.data());
    png_read_end(png, nullptr);  // checks the rest of the file
    return true;
}

DecodedPng decode(void* source, png_rw_ptr take, const std::string& name, std::uint64_t most_pixels,
                  bool keep_opacity) {
    Failure failure;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure, note, ignore);
    png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
    const std::unique_ptr<png_structp, void (*)(png_structp*)> owner(
        &png, [](png_structp* p) { png_destroy_read_struct(p, nullptr, nullptr); });
    DecodedPng decoded;
    Image& image = decoded.image;
    bool done = false;
    if (info != nullptr) {
        png_set_read_fn(png, source, take);
        if (decode_header(png, info, most_pixels, keep_opacity, decoded)) {
            image.data.resize(std::size_t{image.width} * image.height * image.channels);
            std::vector<png_bytep> rows(image.height);
            for (unsigned y = 0; y < image.height; ++y) rows[y] = image.at(0, y);
            done = decode_rows(png, rows);
        }
    }
    if (info != nullptr) png_destroy_info_struct(png, &info);
    if (!done) throw FileError(fmt::format("'{}' is not a readable PNG: {}", name, failure.text));
    return decoded;
}

}  // namespace

std::string encode_png(const Image& image) {
    if (image.width == 0 || image.height == 0 || (image.channels != 1 && image.channels != 3) ||
        image.data.size() != std::size_t{image.width} * image.height * image.channels)
        throw std::invalid_argument(fmt::format("an image of {}×{} pixels, {} channels and {} bytes cannot be written",
                                                image.width, image.height, image.channels, image.data.size()));
    std::vector<png_bytep> rows(image.height);
    for (unsigned y = 0; y < image.height; ++y) rows[y] = const_cast<png_bytep>(image.at(0, y));  // only read from
    std::vector<std::uint8_t> bytes;
    Failure failure;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure, note, ignore);
    png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
    if (info != nullptr) png_set_write_fn(png, &bytes, append, flush);
    const bool done = info != nullptr && encode(png, info, image, rows);
    png_destroy_write_struct(&png, &info);
    if (!done) throw FileError(fmt::format("cannot make a PNG: {}", failure.text));
    return {bytes.begin(), bytes.end()};
}

void write_png(const std::filesystem::path& path, const Image& image) {
    const std::string bytes = encode_png(image);
    AtomicFile file(path);
    file.write(bytes);
    file.commit(false);
}

Image read_png(const std::filesystem::path& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (file == nullptr) throw FileError(fmt::format("cannot open '{}'", path.string()));
    return decode(file.get(), take_from_file, path.string(), most_pixels_of_ours, false).image;
}

DecodedPng parse_png(std::span<const std::byte> bytes, const std::string& name, std::uint64_t most_pixels) {
    return decode(&bytes, take_from_memory, name, most_pixels, true);
}

}  // namespace neumann
