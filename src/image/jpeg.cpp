#include "image/jpeg.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
// clang-format off: the numbers of the warnings depend on the version that the first header states
#include <jerror.h>
#include <jpeglib.h>

#include "base/files.h"

// clang-format on

namespace neumann {
namespace {

// Each scan of a progressive file goes over the whole image. Encoders write about ten; a small file with thousands of
// them would take hours to decode.
constexpr int most_scans = 100;

// libjpeg reports errors by a call that must not return: by a jump (longjmp). A jump over C++ objects is not allowed,
// so the callbacks and the functions that are jumped over are plain functions on plain data; texts and exceptions come
// afterwards.
struct Decoder {
    jpeg_decompress_struct state;
    jpeg_error_mgr errors;
    jpeg_progress_mgr progress;
    std::jmp_buf back;
    char problem[JMSG_LENGTH_MAX];
};

[[noreturn]] void leave(Decoder& decoder) { std::longjmp(decoder.back, 1); }

Decoder& decoder_of(j_common_ptr state) { return *static_cast<Decoder*>(state->client_data); }

void fail(j_common_ptr state) {
    state->err->format_message(state, decoder_of(state).problem);
    leave(decoder_of(state));
}

// After a warning libjpeg goes on and invents the missing data. A file with invented pixels is refused; odd headers and
// filling between markers do no harm.
void warn(j_common_ptr state, int level) {
    constexpr std::array harmless{JWRN_ADOBE_XFORM, JWRN_EXTRANEOUS_DATA, JWRN_JFIF_MAJOR};
    if (level < 0 && std::find(harmless.begin(), harmless.end(), state->err->msg_code) == harmless.end()) fail(state);
}

void say_nothing(j_common_ptr) {}

void count_scans(j_common_ptr state) {
    if (reinterpret_cast<j_decompress_ptr>(state)->input_scan_number <= most_scans) return;
    std::snprintf(decoder_of(state).problem, JMSG_LENGTH_MAX, "has more than %d scans", most_scans);
    leave(decoder_of(state));
}

bool create(Decoder& decoder) {
    decoder.state.err = jpeg_std_error(&decoder.errors);
    decoder.errors.error_exit = fail;
    decoder.errors.emit_message = warn;
    decoder.errors.output_message = say_nothing;
    decoder.state.client_data = &decoder;
    if (setjmp(decoder.back) != 0) return false;
    jpeg_create_decompress(&decoder.state);
    decoder.progress.progress_monitor = count_scans;
    decoder.state.progress = &decoder.progress;
    return true;
}

bool begin(Decoder& decoder, std::span<const std::byte> bytes, std::uint64_t most_pixels) {
    if (setjmp(decoder.back) != 0) return false;
    jpeg_decompress_struct& state = decoder.state;
    jpeg_mem_src(&state, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&state, TRUE);
    if (std::uint64_t{state.image_width} * state.image_height > most_pixels) {
        std::snprintf(decoder.problem, sizeof decoder.problem, "has too many pixels");
        return false;
    }
    const bool inks = state.jpeg_color_space == JCS_CMYK || state.jpeg_color_space == JCS_YCCK;
    state.out_color_space = inks ? JCS_CMYK : JCS_RGB;
    jpeg_start_decompress(&state);
    return true;
}

bool read_rows(Decoder& decoder, JSAMPLE* to) {
    if (setjmp(decoder.back) != 0) return false;
    jpeg_decompress_struct& state = decoder.state;
    const std::size_t row_bytes = std::size_t{state.output_width} * state.output_components;
    while (state.output_scanline < state.output_height) {
        JSAMPROW row = to + state.output_scanline * row_bytes;
        jpeg_read_scanlines(&state, &row, 1);
    }
    jpeg_finish_decompress(&state);  // notices where the end mark is missing
    return true;
}

// Cyan, magenta, yellow and black each absorb light. Most programs write them inverted, as Adobe does: as the remaining
// light.
Image without_inks(const Image& picture, bool light) {
    Image result = Image::blank(picture.width, picture.height, 3);
    const auto left = [&](std::uint8_t ink) { return light ? ink : 255U - ink; };
    for (std::size_t pixel = 0; pixel < picture.data.size() / 4; ++pixel) {
        const std::uint8_t* from = &picture.data[pixel * 4];
        for (unsigned c = 0; c < 3; ++c)
            result.data[pixel * 3 + c] = static_cast<std::uint8_t>((left(from[c]) * left(from[3]) + 127) / 255);
    }
    return result;
}

}  // namespace

Image parse_jpeg(std::span<const std::byte> bytes, const std::string& name, std::uint64_t most_pixels) {
    const auto decoder = std::make_unique<Decoder>();
    jpeg_decompress_struct& state = decoder->state;
    const bool created = create(*decoder);
    const std::unique_ptr<jpeg_decompress_struct, void (*)(jpeg_decompress_struct*)> owner(&state,
                                                                                           jpeg_destroy_decompress);
    Image image;
    bool done = created && begin(*decoder, bytes, most_pixels);
    if (done) {
        image = Image::blank(state.output_width, state.output_height, static_cast<unsigned>(state.output_components));
        done = read_rows(*decoder, image.data.data());
    }
    if (!done) throw FileError(fmt::format("'{}' is not a readable JPEG: {}", name, decoder->problem));
    return image.channels == 4 ? without_inks(image, state.saw_Adobe_marker != 0) : image;
}

}  // namespace neumann
