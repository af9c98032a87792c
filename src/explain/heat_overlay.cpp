#include "explain/heat_overlay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

namespace neumann {
namespace {

// The weight from which on the heaviest object is fully lit: where nothing matters, nothing shines.
constexpr double least_bright = 0.1;

using Colour = std::array<double, 3>;

constexpr double darkest = 0.26;        // brightness of the image where the weight is 0: objects must stay visible
constexpr double palest = 0.25;         // how much colour it keeps there: grey alone, yellow on white is gone
constexpr double strongest_glow = 0.9;  // the largest opacity of the glow
constexpr double glow_reach = 0.035;    // as a share of the image's shorter side

// From nearly black over red and orange to a pale yellow, with even steps of lightness (L* of 7, 29, 50, 72, 92).
constexpr std::array<Colour, 5> warm_ramp{
    {{30, 16, 36}, {128, 28, 60}, {218, 62, 44}, {250, 156, 48}, {255, 232, 158}}};

Colour mixed(const Colour& a, const Colour& b, double share_of_b) {
    Colour result;
    for (std::size_t c = 0; c < 3; ++c) result[c] = a[c] + (b[c] - a[c]) * share_of_b;
    return result;
}

Colour glow_of(double heat) {
    const double at = heat * (warm_ramp.size() - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(at), warm_ramp.size() - 2);
    return mixed(warm_ramp[below], warm_ramp[below + 1], at - static_cast<double>(below));
}

// The combined masks, pixel by pixel.
struct Heat {
    std::vector<double> weighted;  // E
    std::vector<double> covered;   // Σ M: how far a pixel is on an object that matters, however little
};

// The average of 2·reach + 1 numbers, of which those beyond the ends are 0. Numbers are `step` apart.
void smooth_line(double* line, std::size_t count, std::size_t step, std::size_t reach, std::vector<double>& sums) {
    sums.assign(count + 1, 0.0);
    for (std::size_t i = 0; i < count; ++i) sums[i + 1] = sums[i] + line[i * step];
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = i > reach ? i - reach : 0;
        const std::size_t end = std::min(count, i + reach + 1);
        line[i * step] = (sums[end] - sums[begin]) / static_cast<double>(2 * reach + 1);
    }
}

// Twice an average over a square is near enough to a bell.
std::vector<double> smoothed(std::vector<double> values, std::size_t width, std::size_t height) {
    const auto reach = static_cast<std::size_t>(
        std::max(1.0, std::round(static_cast<double>(std::min(width, height)) * glow_reach / 2)));
    std::vector<double> sums;
    for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t y = 0; y < height; ++y) smooth_line(values.data() + y * width, width, 1, reach, sums);
        for (std::size_t x = 0; x < width; ++x) smooth_line(values.data() + x, height, width, reach, sums);
    }
    return values;
}

Colour lit(const Colour& own, double heat) {
    const double light = 0.2126 * own[0] + 0.7152 * own[1] + 0.0722 * own[2];
    Colour result = mixed({light, light, light}, own, palest + (1 - palest) * std::sqrt(heat));
    for (double& channel : result) channel *= darkest + (1 - darkest) * heat;
    return result;
}

// `around`: E, smoothed. On the edge of an object it is half of its value inside.
Colour shown(const Colour& own, double heat, double around, double covered) {
    const double glow = std::min(1.0, 2 * around);
    return mixed(lit(own, heat), glow_of(glow), strongest_glow * std::sqrt(glow) * (1 - covered));
}

// Where the middle of each pixel lies between the middles of a mask's pixels.
struct Between {
    unsigned first;
    unsigned second;
    double share_of_second;
};

std::vector<Between> stretch(unsigned from, unsigned to) {
    std::vector<Between> places(to);
    for (unsigned i = 0; i < to; ++i) {
        const double at = std::clamp((i + 0.5) * from / to - 0.5, 0.0, from - 1.0);
        const auto first = static_cast<unsigned>(at);
        places[i] = {first, std::min(first + 1, from - 1), at - first};
    }
    return places;
}

void add_mask(const Image& mask, double weight, const Image& picture, Heat& heat) {
    const std::vector<Between> columns = stretch(mask.width, picture.width);
    const std::vector<Between> rows = stretch(mask.height, picture.height);
    std::size_t pixel = 0;
    for (const Between& row : rows) {
        const std::uint8_t* upper = mask.at(0, row.first);
        const std::uint8_t* lower = mask.at(0, row.second);
        for (const Between& column : columns) {
            const auto across = [&](const std::uint8_t* line) {
                return line[column.first] + (line[column.second] - line[column.first]) * column.share_of_second;
            };
            const double above = across(upper);
            const double here = (above + (across(lower) - above) * row.share_of_second) / 255;
            heat.weighted[pixel] += weight * here;
            heat.covered[pixel++] += here;
        }
    }
}

void require(const Image& image, bool channels_are_right, const char* what) {
    const std::size_t pixels = std::size_t{image.width} * image.height;
    if (pixels != 0 && channels_are_right && image.data.size() == pixels * image.channels) return;
    throw std::invalid_argument(fmt::format("{} of {}×{} with {} channels and {} bytes", what, image.width,
                                            image.height, image.channels, image.data.size()));
}

}  // namespace

Image heat_overlay(const Image& picture, std::span<const WeightedMask> masks) {
    require(picture, picture.channels == 1 || picture.channels == 3, "a heat map over a picture");
    double largest = least_bright;
    for (const WeightedMask& mask : masks) {
        require(mask.mask, mask.mask.channels == 1, "a mask");
        if (!std::isfinite(mask.weight) || mask.weight < 0) {
            throw std::invalid_argument(fmt::format("a mask with the weight {}", mask.weight));
        }
        largest = std::max(largest, mask.weight);
    }
    const std::size_t pixels = std::size_t{picture.width} * picture.height;
    Heat heat{std::vector<double>(pixels, 0.0), std::vector<double>(pixels, 0.0)};
    for (const WeightedMask& mask : masks) {
        if (mask.weight > 0) add_mask(mask.mask, mask.weight / largest, picture, heat);
    }
    for (double& value : heat.weighted) value = std::min(1.0, value);
    const std::vector<double> around = smoothed(heat.weighted, picture.width, picture.height);
    Image result = Image::blank(picture.width, picture.height, 3);
    const std::size_t next = picture.channels == 3 ? 1 : 0;  // from one channel to the next
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        const std::uint8_t* own = picture.data.data() + pixel * picture.channels;
        const Colour colour = shown({double(own[0]), double(own[next]), double(own[2 * next])}, heat.weighted[pixel],
                                    around[pixel], std::min(1.0, heat.covered[pixel]));
        for (std::size_t c = 0; c < 3; ++c) {
            result.data[pixel * 3 + c] = static_cast<std::uint8_t>(std::lround(std::clamp(colour[c], 0.0, 255.0)));
        }
    }
    return result;
}

Image box_mask(double x, double y, double width, double height, unsigned mask_width, unsigned mask_height) {
    if (mask_width == 0 || mask_height == 0) {
        throw std::invalid_argument(fmt::format("a mask of {}×{}", mask_width, mask_height));
    }
    Image mask = Image::blank(mask_width, mask_height, 1);
    // Rounder than the box, fuller than an ellipse (exponent 2): spheres and cubes both fill it well. 1 where it
    // touches the box's sides, 1.32 in its corners. A box is at least a pixel wide.
    constexpr double exponent = 2.5;
    constexpr double inside = 0.98;
    constexpr double outside = 1.3;
    const auto powers = [&](double middle, double length, unsigned pixels) {
        std::vector<double> result(pixels);
        const double half = std::max(length, 1.0 / pixels) / 2;
        for (unsigned i = 0; i < pixels; ++i) {
            result[i] = std::pow(std::abs((i + 0.5) / pixels - middle) / half, exponent);
        }
        return result;
    };
    const std::vector<double> across = powers(x, width, mask_width);
    const std::vector<double> down = powers(y, height, mask_height);
    const double furthest = std::pow(outside, exponent);
    for (unsigned j = 0; j < mask_height; ++j) {
        for (unsigned i = 0; i < mask_width; ++i) {
            const double sum = across[i] + down[j];
            if (!(sum < furthest)) continue;
            const double t = std::min(1.0, (outside - std::pow(sum, 1 / exponent)) / (outside - inside));
            *mask.at(i, j) = static_cast<std::uint8_t>(std::lround(255 * t * t * (3 - 2 * t)));
        }
    }
    return mask;
}

}  // namespace neumann
