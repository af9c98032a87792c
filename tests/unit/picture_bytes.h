// Pictures as files of every kind that people have, made in memory. For tests and for the seeds of fuzzing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <jpeglib.h>
#include <png.h>

#include "base/rng.h"
#include "image/image.h"

namespace neumann {

inline std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

// Samples as the format counts them: `channels` of them per pixel, each below 2^depth.
struct PngSamples {
    unsigned width = 0;
    unsigned height = 0;
    unsigned depth = 8;
    int color = PNG_COLOR_TYPE_RGB;
    bool interlaced = false;
    bool key = false;               // grey, RGB: the first pixel's colour is transparent; palette: half its colours are
    std::uint32_t frames = 0;       // not 0: the mark of an animation
    std::vector<unsigned> samples;  // rows from top to bottom
    std::vector<png_color> palette;  // one for every index
    std::vector<png_byte> opacity;   // of the palette's colours

    unsigned channels() const {
        return color == PNG_COLOR_TYPE_RGB          ? 3
               : color == PNG_COLOR_TYPE_RGB_ALPHA  ? 4
               : color == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                                    : 1;
    }
};

inline PngSamples random_png(Rng& rng, unsigned width, unsigned height, int color, unsigned depth, bool interlaced,
                             bool key) {
    PngSamples png;
    png.width = width;
    png.height = height;
    png.depth = depth;
    png.color = color;
    png.interlaced = interlaced;
    png.key = key;
    for (std::size_t k = 0; k < std::size_t{width} * height * png.channels(); ++k)
        png.samples.push_back(rng.below(1U << depth));
    if (color != PNG_COLOR_TYPE_PALETTE) return png;
    const auto byte = [&] { return static_cast<png_byte>(rng.below(256)); };
    for (unsigned k = 0; k < 1U << depth; ++k) {
        const png_byte red = byte();
        const png_byte green = byte();
        png.palette.push_back({red, green, byte()});
        if (key && 2 * k < 1U << depth) png.opacity.push_back(byte());
    }
    return png;
}

inline std::string png_bytes(const PngSamples& from) {
    std::string bytes;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &bytes,
        [](png_structp writer, png_bytep data, png_size_t size) {
            static_cast<std::string*>(png_get_io_ptr(writer))->append(reinterpret_cast<char*>(data), size);
        },
        nullptr);
    png_set_IHDR(png, info, from.width, from.height, static_cast<int>(from.depth), from.color,
                 from.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (!from.palette.empty()) png_set_PLTE(png, info, from.palette.data(), static_cast<int>(from.palette.size()));
    png_color_16 key{};
    if (from.key) {
        key.gray = static_cast<png_uint_16>(from.samples[0]);
        if (from.channels() == 3) {
            key.red = key.gray;
            key.green = static_cast<png_uint_16>(from.samples[1]);
            key.blue = static_cast<png_uint_16>(from.samples[2]);
        }
        png_set_tRNS(png, info, from.opacity.data(), static_cast<int>(from.opacity.size()), &key);
    }
    png_write_info(png, info);
    if (from.frames != 0) {
        png_byte control[8] = {};
        png_save_uint_32(control, from.frames);
        const png_byte name[] = "acTL";
        png_write_chunk(png, name, control, sizeof control);
    }
    // Samples side by side, the first in the highest bits.
    const std::size_t row_samples = std::size_t{from.width} * from.channels();
    std::vector<std::vector<png_byte>> rows(from.height, std::vector<png_byte>((row_samples * from.depth + 7) / 8));
    std::vector<png_bytep> pointers;
    for (unsigned y = 0; y < from.height; ++y) {
        for (std::size_t k = 0; k < row_samples; ++k) {
            const unsigned sample = from.samples[y * row_samples + k];
            for (unsigned bit = 0; bit < from.depth; ++bit)
                if ((sample >> (from.depth - 1 - bit) & 1) != 0)
                    rows[y][(k * from.depth + bit) / 8] |= static_cast<png_byte>(0x80 >> (k * from.depth + bit) % 8);
        }
        pointers.push_back(rows[y].data());
    }
    png_write_image(png, pointers.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return bytes;
}

struct JpegOptions {
    int quality = 95;
    bool progressive = false;
    bool light = true;  // four channels: with Adobe's mark, which says that they are written as light that is left
    J_COLOR_SPACE stored = JCS_UNKNOWN;  // else as usual
    std::vector<jpeg_scan_info> scans;   // of a progressive file; none: as usual
};

// One channel: grey; three: colour; four: inks.
inline std::string jpeg_bytes(const Image& image, const JpegOptions& options = {}) {
    jpeg_compress_struct state;
    jpeg_error_mgr errors;
    state.err = jpeg_std_error(&errors);
    jpeg_create_compress(&state);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&state, &memory, &size);
    state.image_width = image.width;
    state.image_height = image.height;
    state.input_components = static_cast<int>(image.channels);
    state.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : image.channels == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&state);
    if (options.stored != JCS_UNKNOWN) jpeg_set_colorspace(&state, options.stored);
    if (image.channels == 4) state.write_Adobe_marker = options.light ? TRUE : FALSE;
    jpeg_set_quality(&state, options.quality, TRUE);
    if (options.progressive) jpeg_simple_progression(&state);
    if (!options.scans.empty()) {
        state.scan_info = options.scans.data();
        state.num_scans = static_cast<int>(options.scans.size());
    }
    jpeg_start_compress(&state, TRUE);
    while (state.next_scanline < state.image_height) {
        JSAMPROW row = const_cast<JSAMPROW>(image.at(0, state.next_scanline));  // only read from
        jpeg_write_scanlines(&state, &row, 1);
    }
    jpeg_finish_compress(&state);
    jpeg_destroy_compress(&state);
    std::string bytes(reinterpret_cast<char*>(memory), size);
    std::free(memory);
    return bytes;
}

// Soft transitions, which JPEG keeps well.
inline Image smooth_image(unsigned width, unsigned height, unsigned channels) {
    Image image = Image::blank(width, height, channels);
    for (unsigned y = 0; y < height; ++y)
        for (unsigned x = 0; x < width; ++x)
            for (unsigned c = 0; c < channels; ++c)
                image.at(x, y)[c] = static_cast<std::uint8_t>(40 + c * 15 + x * 100 / width + y * 60 / height);
    return image;
}

}  // namespace neumann
