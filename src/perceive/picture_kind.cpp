#include "perceive/picture_kind.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace neumann {
namespace {

constexpr unsigned blocks_across = 32;
// The largest distance of a block from the ground: in brightness, and in each of its channels. Relative to the ground,
// and at least a little, for dark images.
constexpr double brightness_tolerance = 0.022;
constexpr double channel_tolerance = 0.06;
constexpr double darkest = 60;

using Colour = std::array<double, 3>;

double brightness(const Colour& colour) { return (colour[0] + colour[1] + colour[2]) / 3; }

Colour mean_colour(const Image& picture, unsigned left, unsigned right, unsigned top, unsigned bottom) {
    const std::size_t green = picture.channels == 3 ? 1 : 0;  // a grey image has the same number for all three
    Colour sum{};
    for (unsigned y = top; y < bottom; ++y) {
        for (unsigned x = left; x < right; ++x) {
            const std::uint8_t* const pixel = picture.at(x, y);
            for (std::size_t c = 0; c < 3; ++c) sum[c] += pixel[c * green];
        }
    }
    for (double& channel : sum) channel /= static_cast<double>(right - left) * (bottom - top);
    return sum;
}

std::vector<Colour> blocks_of(const Image& picture) {
    const unsigned columns = std::min(blocks_across, picture.width);
    const unsigned rows = std::min(blocks_across, picture.height);
    std::vector<Colour> blocks;
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < columns; ++column)
            blocks.push_back(mean_colour(picture, column * picture.width / columns,
                                         (column + 1) * picture.width / columns, row * picture.height / rows,
                                         (row + 1) * picture.height / rows));
    return blocks;
}

// The median colour, channel by channel: the ground's, if the ground covers more than half of the image.
Colour median_colour(const std::vector<Colour>& blocks) {
    Colour median{};
    std::vector<double> values(blocks.size());
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < blocks.size(); ++i) values[i] = blocks[i][c];
        std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
        median[c] = values[values.size() / 2];
    }
    return median;
}

}  // namespace

double even_ground_share(const Image& picture) {
    const std::vector<Colour> blocks = blocks_of(picture);
    if (blocks.empty()) return 0;
    const Colour ground = median_colour(blocks);
    const double level = std::max(darkest, brightness(ground));
    const auto is_ground = [&](const Colour& block) {
        if (std::abs(brightness(block) - brightness(ground)) > brightness_tolerance * level) return false;
        for (std::size_t c = 0; c < 3; ++c)
            if (std::abs(block[c] - ground[c]) > channel_tolerance * level) return false;
        return true;
    };
    return static_cast<double>(std::ranges::count_if(blocks, is_ground)) / static_cast<double>(blocks.size());
}

PictureKind picture_kind(const Image& picture) {
    const double share = even_ground_share(picture);
    return share >= flat_from_share     ? PictureKind::Flat
           : share <= solid_up_to_share ? PictureKind::Solid
                                        : PictureKind::Undecided;
}

bool shows_flat_figures(const Image& picture) {
    return even_ground_share(picture) >= (flat_from_share + solid_up_to_share) / 2;
}

}  // namespace neumann
