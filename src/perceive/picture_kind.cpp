#include "perceive/picture_kind.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace neumann {
namespace {

constexpr unsigned levels = 16;
constexpr unsigned level_width = 256 / levels;

struct CommonColour {
    std::array<unsigned, 3> level{};
    double share = 0;
};

CommonColour most_frequent(const Image& picture) {
    std::array<std::uint32_t, levels * levels * levels> counts{};
    const std::size_t pixels = std::size_t{picture.width} * picture.height;
    if (pixels == 0) return {};
    const std::size_t green = picture.channels == 3 ? 1 : 0;  // a grey picture has the same number for all three
    for (std::size_t i = 0; i < pixels; ++i) {
        const std::uint8_t* const pixel = picture.data.data() + i * picture.channels;
        ++counts[(pixel[0] / level_width * levels + pixel[green] / level_width) * levels +
                 pixel[2 * green] / level_width];
    }
    const auto most = static_cast<unsigned>(std::ranges::max_element(counts) - counts.begin());
    return {{most / levels / levels, most / levels % levels, most % levels},
            static_cast<double>(counts[most]) / static_cast<double>(pixels)};
}

}  // namespace

double even_ground_share(const Image& picture) { return most_frequent(picture).share; }

bool shows_flat_figures(const Image& picture) {
    const CommonColour ground = most_frequent(picture);
    return ground.share >= flat_from_share &&
           std::ranges::all_of(ground.level, [](unsigned level) { return level == flat_ground / level_width; });
}

}  // namespace neumann
