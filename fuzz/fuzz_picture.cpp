// Any bytes as a picture: read and resized, or refused. The checksums of a PNG would stop every mutation at the door,
// so they are made right first; what is tested is everything behind them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <png.h>
#include <zlib.h>

#include "base/files.h"
#include "image/pictures.h"

namespace {

// After eight bytes, chunk by chunk: a length, four letters, content, a checksum of the last two.
void mend_checksums(std::vector<std::uint8_t>& bytes) {
    std::size_t at = 8;
    while (at + 12 <= bytes.size()) {
        const std::size_t length = png_get_uint_32(&bytes[at]);
        if (length > bytes.size() - at - 12) return;
        const auto checksum = static_cast<png_uint_32>(crc32(0, &bytes[at + 4], static_cast<uInt>(length + 4)));
        png_save_uint_32(&bytes[at + 8 + length], checksum);
        at += 12 + length;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace neumann;
    std::vector<std::uint8_t> bytes(data, data + size);
    if (size > 8 && png_sig_cmp(data, 0, 8) == 0) mend_checksums(bytes);
    const PictureLimits small{1U << 16, 1};  // keeps every run short
    try {
        std::string note;
        const Image image = parse_picture(std::as_bytes(std::span(bytes)), "fuzz", small, &note);
        if (image.channels != 3 || image.data.size() != std::size_t{image.width} * image.height * 3) std::abort();
        if (resized(image, 13, 40).data.size() != std::size_t{13} * 40 * 3) std::abort();
    } catch (const FileError&) {
    }
    return 0;
}
