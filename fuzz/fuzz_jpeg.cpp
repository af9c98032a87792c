// Any bytes behind the first marker of a JPEG: an image of the right size, or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "base/files.h"
#include "image/jpeg.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::uint8_t> bytes = {0xFF, 0xD8};
    const std::size_t begin = size >= 2 && data[0] == 0xFF && data[1] == 0xD8 ? 2 : 0;
    bytes.insert(bytes.end(), data + begin, data + size);
    try {
        const neumann::Image image = neumann::parse_jpeg(std::as_bytes(std::span(bytes)), "fuzz", 1U << 16);
        if (image.channels != 3 || image.data.size() != std::size_t{image.width} * image.height * 3) std::abort();
    } catch (const neumann::FileError&) {
    }
    return 0;
}
