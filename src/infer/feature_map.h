// Feature map: rows of pixels, each with its channels, in a border of zeros that convolutions read.
#pragma once

#include <cstddef>

#include "infer/aligned_floats.h"
#include "infer/kernel.h"

namespace neumann::infer {

struct FeatureMap {
    FeatureMap() = default;
    FeatureMap(std::size_t across, std::size_t down, std::size_t numbers, std::size_t edge)
        : width(across), height(down), channels(numbers), border(edge), stride((numbers + group - 1) / group * group),
          values((across + 2 * edge) * (down + 2 * edge) * stride) {}

    std::size_t row_stride() const { return (width + 2 * border) * stride; }
    // Of pixels outside too, down to minus the border.
    float* at(std::ptrdiff_t x, std::ptrdiff_t y) { return values.data() + offset(x, y); }
    const float* at(std::ptrdiff_t x, std::ptrdiff_t y) const { return values.data() + offset(x, y); }

    std::size_t width = 0;
    std::size_t height = 0;
    std::size_t channels = 0;
    std::size_t border = 0;
    std::size_t stride = 0;  // channels of a pixel in memory, the last of them unused
    AlignedFloats values;

private:
    std::ptrdiff_t offset(std::ptrdiff_t x, std::ptrdiff_t y) const {
        const auto edge = static_cast<std::ptrdiff_t>(border);
        return (y + edge) * static_cast<std::ptrdiff_t>(row_stride()) +
               (x + edge) * static_cast<std::ptrdiff_t>(stride);
    }
};

}  // namespace neumann::infer
