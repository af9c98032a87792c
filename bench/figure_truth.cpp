#include "figure_truth.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace neumann::bench {
namespace {

// In the order of the layout's colours.
constexpr std::array<std::array<int, 3>, 3> figure_colors{{{173, 35, 35}, {255, 238, 51}, {42, 75, 215}}};
constexpr std::array<int, 3> ground{215, 215, 215};

int distance(const std::uint8_t* pixel, const std::array<int, 3>& color) {
    int sum = 0;
    for (unsigned c = 0; c < 3; ++c) sum += std::abs(pixel[c] - color[c]);
    return sum;
}

// 0: ground; k + 1: colour k, the nearest of all.
int class_of(const std::uint8_t* pixel) {
    int best = 0;
    int least = distance(pixel, ground);
    for (unsigned k = 0; k < figure_colors.size(); ++k) {
        const int here = distance(pixel, figure_colors[k]);
        if (here < least) {
            least = here;
            best = static_cast<int>(k) + 1;
        }
    }
    return best;
}

struct Region {
    int color = 0;
    std::size_t pixels = 0;
    double sum_x = 0;
    double sum_y = 0;
    unsigned left, top, right, bottom;
};

// Circles fill π/4 of their box, triangles half of it; the borders between are in the middle.
unsigned shape_of(const Region& region) {
    const double box = static_cast<double>(region.right - region.left + 1) * (region.bottom - region.top + 1);
    const double fill = static_cast<double>(region.pixels) / box;
    if (fill > 0.9) return 1;
    if (fill > 0.66) return 0;
    if (fill > 0.4) return 2;
    throw std::runtime_error("a region fills " + std::to_string(fill) + " of its box: no shape that is known");
}

}  // namespace

SeenObjects figure_truth(const Image& picture) {
    constexpr std::size_t least_pixels = 60;  // smaller ones are borders between two colours
    std::vector<int> color(std::size_t{picture.width} * picture.height);
    for (unsigned y = 0; y < picture.height; ++y)
        for (unsigned x = 0; x < picture.width; ++x)
            color[std::size_t{y} * picture.width + x] = class_of(picture.at(x, y));
    SeenObjects truth{&flat_layout(), {}, {}};
    std::vector<std::size_t> open;
    for (std::size_t start = 0; start < color.size(); ++start) {
        if (color[start] == 0) continue;
        Region region{color[start], 0, 0, 0, picture.width, picture.height, 0, 0};
        open.assign(1, start);
        color[start] = 0;
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            const auto x = static_cast<unsigned>(at % picture.width);
            const auto y = static_cast<unsigned>(at / picture.width);
            ++region.pixels;
            region.sum_x += x + 0.5;
            region.sum_y += y + 0.5;
            region.left = std::min(region.left, x);
            region.right = std::max(region.right, x);
            region.top = std::min(region.top, y);
            region.bottom = std::max(region.bottom, y);
            const auto visit = [&](std::size_t next) {
                if (color[next] != region.color) return;
                color[next] = 0;
                open.push_back(next);
            };
            if (x > 0) visit(at - 1);
            if (x + 1 < picture.width) visit(at + 1);
            if (y > 0) visit(at - picture.width);
            if (y + 1 < picture.height) visit(at + picture.width);
        }
        if (region.pixels < least_pixels) continue;
        std::vector<float> row(truth.layout->columns);
        row[column::presence] = 1;
        row[column::x] = static_cast<float>(region.sum_x / static_cast<double>(region.pixels) / picture.width);
        row[column::y] = static_cast<float>(region.sum_y / static_cast<double>(region.pixels) / picture.height);
        row[column::width] = static_cast<float>(region.right - region.left + 1) / static_cast<float>(picture.width);
        row[column::height] = static_cast<float>(region.bottom - region.top + 1) / static_cast<float>(picture.height);
        row[truth.layout->find("shape")->first + shape_of(region)] = 1;
        row[truth.layout->find("color")->first + static_cast<unsigned>(region.color - 1)] = 1;
        truth.rows.insert(truth.rows.end(), row.begin(), row.end());
    }
    return truth;
}

}  // namespace neumann::bench
