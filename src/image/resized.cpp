// Resizing in integers: every weight is a ratio of the two sizes, so sums stay exact until they are rounded, and every
// machine computes the same image.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "image/pictures.h"

namespace neumann {
namespace {

// One direction: result i is the sum of weights × entries from first[i] on, divided by `total`.
struct Axis {
    std::vector<std::size_t> first;   // of each result in the image
    std::vector<std::size_t> offset;  // of each result in `weights`; one more for the end
    std::vector<std::uint32_t> weights;
    std::uint64_t total = 1;

    void add(std::size_t entry) {
        first.push_back(entry);
        offset.push_back(weights.size());
    }
};

// In units in which an entry of the image has length `to` and one of the result `from`, all limits are integers.
Axis shrink(std::uint64_t from, std::uint64_t to) {
    Axis axis;
    axis.total = from;
    for (std::uint64_t i = 0; i < to; ++i) {
        const std::uint64_t begin = i * from;
        const std::uint64_t end = begin + from;
        axis.add(begin / to);
        for (std::uint64_t j = begin / to; j * to < end; ++j)
            axis.weights.push_back(static_cast<std::uint32_t>(std::min(end, (j + 1) * to) - std::max(begin, j * to)));
    }
    return axis;
}

// The middle of result i lies (2i + 1)·from / 2to − ½ behind the middle of the first entry.
Axis enlarge(std::uint64_t from, std::uint64_t to) {
    Axis axis;
    axis.total = 2 * to;
    for (std::uint64_t i = 0; i < to; ++i) {
        const std::uint64_t above = (2 * i + 1) * from;
        const std::uint64_t place = above > to ? above - to : 0;
        const std::uint64_t entry = std::min(place / axis.total, from - 1);
        const std::uint64_t beyond = entry + 1 == from ? 0 : place % axis.total;
        axis.add(entry);
        axis.weights.push_back(static_cast<std::uint32_t>(axis.total - beyond));
        if (beyond != 0) axis.weights.push_back(static_cast<std::uint32_t>(beyond));
    }
    return axis;
}

// The largest that `total` may become.
std::uint64_t divisor(std::uint64_t from, std::uint64_t to) { return from >= to ? from : 2 * to; }

void check_precision(std::uint64_t across, std::uint64_t down) {
    constexpr std::uint64_t longest = 1ULL << 31;
    constexpr std::uint64_t largest = 1ULL << 40;  // see resize()
    if (across > longest || down > longest || across * down > largest)
        throw std::invalid_argument(fmt::format("sides of {} and {} pixels are too long to be resized", across, down));
}

Axis make_axis(std::uint64_t from, std::uint64_t to) {
    Axis axis;
    if (from >= to) {
        // Equal ratios have equal weights up to a factor; the least ones keep sums in short numbers.
        const std::uint64_t factor = std::gcd(from, to);
        const Axis part = shrink(from / factor, to / factor);
        axis.total = part.total;
        for (std::uint64_t k = 0; k < factor; ++k) {
            for (std::size_t i = 0; i < part.first.size(); ++i) {
                axis.add(part.first[i] + k * (from / factor));
                axis.weights.insert(axis.weights.end(),
                                    part.weights.begin() + static_cast<std::ptrdiff_t>(part.offset[i]),
                                    i + 1 == part.first.size()
                                        ? part.weights.end()
                                        : part.weights.begin() + static_cast<std::ptrdiff_t>(part.offset[i + 1]));
            }
        }
    } else {
        axis = enlarge(from, to);
    }
    axis.offset.push_back(axis.weights.size());
    return axis;
}

// Sums of a column hold at most 255 × the total of the vertical axis; the shorter the numbers, the more fit in a
// register.
template <class Sum>
void resize(const Image& picture, const Axis& across, const Axis& down, Image& result) {
    const std::size_t channels = picture.channels;
    const std::size_t row_entries = picture.width * channels;
    std::vector<Sum> sums(row_entries);
    // floor(n / d) for whole n < 2⁵² and d ≤ 2⁴¹: (n + ½) / d is at least ½/d ≥ 2⁻⁴² away from whole numbers, and the
    // product with 1/d, below 2⁸, is not off by more than 2⁻⁴⁴.
    const std::uint64_t total = across.total * down.total;
    const double share = 1.0 / static_cast<double>(2 * total);
    std::uint8_t* to = result.data.data();
    for (std::size_t y = 0; y < result.height; ++y) {
        const std::uint8_t* row = picture.data.data() + down.first[y] * row_entries;
        for (std::size_t w = down.offset[y]; w < down.offset[y + 1]; ++w, row += row_entries) {
            const auto weight = static_cast<Sum>(down.weights[w]);
            Sum* sum = sums.data();
            if (w == down.offset[y]) {
                for (std::size_t k = 0; k < row_entries; ++k) sum[k] = static_cast<Sum>(row[k] * weight);
            } else {
                for (std::size_t k = 0; k < row_entries; ++k) sum[k] = static_cast<Sum>(sum[k] + row[k] * weight);
            }
        }
        for (std::size_t x = 0; x < result.width; ++x) {
            const std::uint32_t* weights = across.weights.data() + across.offset[x];
            const std::size_t count = across.offset[x + 1] - across.offset[x];
            const Sum* from = sums.data() + across.first[x] * channels;
            for (std::size_t c = 0; c < channels; ++c) {
                std::uint64_t sum = 0;
                for (std::size_t k = 0; k < count; ++k) sum += std::uint64_t{weights[k]} * from[k * channels + c];
                *to++ = static_cast<std::uint8_t>((static_cast<double>(2 * sum + total) + 0.5) * share);
            }
        }
    }
}

}  // namespace

Image resized(const Image& picture, unsigned width, unsigned height) {
    if (picture.width == 0 || picture.height == 0 || picture.channels == 0 || width == 0 || height == 0 ||
        picture.data.size() != std::size_t{picture.width} * picture.height * picture.channels)
        throw std::invalid_argument(fmt::format("a picture of {}×{} pixels, {} channels and {} bytes cannot be resized "
                                                "to {}×{}",
                                                picture.width, picture.height, picture.channels, picture.data.size(),
                                                width, height));
    if (width == picture.width && height == picture.height) return picture;
    check_precision(divisor(picture.width, width), divisor(picture.height, height));
    const Axis across = make_axis(picture.width, width);
    const Axis down = make_axis(picture.height, height);
    Image result = Image::blank(width, height, picture.channels);
    const std::uint64_t most = 255 * down.total;
    if (most <= std::numeric_limits<std::uint16_t>::max()) {
        resize<std::uint16_t>(picture, across, down, result);
    } else if (most <= std::numeric_limits<std::uint32_t>::max()) {
        resize<std::uint32_t>(picture, across, down, result);
    } else {
        resize<std::uint64_t>(picture, across, down, result);
    }
    return result;
}

}  // namespace neumann
