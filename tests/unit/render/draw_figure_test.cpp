#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "render/draw_figure.h"

namespace neumann {
namespace {

using Color = std::array<int, 3>;

constexpr Color grey = {215, 215, 215};
constexpr Color red = {173, 35, 35};
constexpr Color yellow = {255, 238, 51};
constexpr Color blue = {42, 75, 215};

Scene one(const std::string& shape, const std::string& color, double x, double y, double side) {
    Scene scene;
    scene.objects.resize(1);
    scene.objects[0].shape = shape;
    scene.objects[0].color = color;
    scene.objects[0].position = {x, y, 0};
    scene.objects[0].extent = side;
    return scene;
}

Color at(const Image& image, unsigned x, unsigned y) {
    const std::uint8_t* pixel = image.at(x, y);
    return {pixel[0], pixel[1], pixel[2]};
}

// How much of a pixel a blue object covers, from the red channel (which differs most from the ground).
double covered(const Image& image, unsigned x, unsigned y) { return (215.0 - image.at(x, y)[0]) / (215.0 - 42.0); }

struct Measured {
    double area = 0;   // of the unit square
    double width = 0;  // by the widest row
    double height = 0;
    double centroid_x = 0;
    double centroid_y = 0;
};

Measured measure(const Image& image) {
    Measured found;
    std::vector<double> columns(image.width), rows(image.height);
    for (unsigned y = 0; y < image.height; ++y) {
        for (unsigned x = 0; x < image.width; ++x) {
            const double share = covered(image, x, y);
            columns[x] += share;
            rows[y] += share;
            found.area += share;
            found.centroid_x += share * (x + .5);
            found.centroid_y += share * (y + .5);
        }
    }
    found.centroid_x /= found.area * image.width;
    found.centroid_y /= found.area * image.height;
    found.area /= static_cast<double>(image.width) * image.height;
    found.width = *std::ranges::max_element(rows) / image.width;
    found.height = *std::ranges::max_element(columns) / image.height;
    return found;
}

// Whether a point lies in a shape of side 1 about the origin, as published: the triangle's corners lie on a circle.
bool inside(const std::string& shape, double x, double y) {
    if (shape == "square") return std::max(std::abs(x), std::abs(y)) < .5;
    if (shape == "circle") return std::hypot(x, y) < 2 / std::numbers::pi;
    const double inner = 3 * std::numbers::sqrt3 / 16;  // half of the radius around the corners
    const double slanted = std::numbers::sqrt3 / 2;
    return y < inner && slanted * x - y / 2 < inner && -slanted * x - y / 2 < inner;
}

class EveryShape : public testing::TestWithParam<const char*> {};

// Every pixel against 64 × 64 points in it.
TEST_P(EveryShape, CoversEveryPixelAsManyPointsDo) {
    constexpr std::uint64_t seed = 3;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    for (int round = 0; round < 6; ++round) {
        const double side = .05 + .3 * rng.uniform();
        const double px = .3 + .4 * rng.uniform();
        const double py = .3 + .4 * rng.uniform();
        const unsigned width = 20 + rng.below(20);
        const unsigned height = 20 + rng.below(20);
        const unsigned square = std::min(width, height);  // in the middle of the picture
        const unsigned left = (width - square) / 2;
        const unsigned top = (height - square) / 2;
        const Image image = draw_figure(one(GetParam(), "blue", px, py, side), width, height);
        for (unsigned y = 0; y < height; ++y) {
            for (unsigned x = 0; x < width; ++x) {
                int hits = 0;
                for (int j = 0; j < 64; ++j) {
                    for (int i = 0; i < 64; ++i) {
                        const double at_x = ((x + (i + .5) / 64 - left) / square - px) / side;
                        const double at_y = ((y + (j + .5) / 64 - top) / square - py) / side;
                        hits += inside(GetParam(), at_x, at_y) ? 1 : 0;
                    }
                }
                ASSERT_NEAR(covered(image, x, y), hits / 4096.0, .02) << x << ' ' << y << " in round " << round;
            }
        }
    }
}

TEST_P(EveryShape, IsSymmetricAboutItsMiddle) {
    for (const unsigned size : {31U, 64U, 101U}) {
        const Image image = draw_figure(one(GetParam(), "red", .5, .5, .3), size, size);
        for (unsigned y = 0; y < size; ++y) {
            for (unsigned x = 0; x < size; ++x) {
                ASSERT_EQ(at(image, x, y), at(image, size - 1 - x, y));
                if (std::string(GetParam()) == "triangle") continue;
                ASSERT_EQ(at(image, x, y), at(image, x, size - 1 - y));
                ASSERT_EQ(at(image, x, y), at(image, y, x));
            }
        }
    }
}

TEST_P(EveryShape, HasThePaletteOnGrey) {
    for (const auto& [name, color] : {std::pair("red", red), std::pair("yellow", yellow), std::pair("blue", blue)}) {
        const Image image = draw_figure(one(GetParam(), name, .3, .6, .2), 128, 128);
        EXPECT_EQ(image.width, 128U);
        EXPECT_EQ(image.height, 128U);
        EXPECT_EQ(image.channels, 3U);
        EXPECT_EQ(at(image, 38, 76), color);
        EXPECT_EQ(at(image, 0, 0), grey);
        EXPECT_EQ(at(image, 127, 127), grey);
        EXPECT_EQ(at(image, 100, 76), grey);
    }
}

TEST_P(EveryShape, HasTheSameAreaAtAnySize) {
    const std::string shape = GetParam();
    const double expected = shape == "square"   ? .04
                            : shape == "circle" ? .04 * 4 / std::numbers::pi
                                                : .04 * 81 * std::numbers::sqrt3 / 256;
    for (const auto& [width, height] : {std::pair(64U, 64U), std::pair(128U, 128U), std::pair(640U, 640U)}) {
        const Measured found = measure(draw_figure(one(shape, "blue", .41, .57, .2), width, height));
        EXPECT_NEAR(found.area, expected, .0004) << width << " by " << height;
        EXPECT_NEAR(found.centroid_x, .41, .001);
        EXPECT_NEAR(found.centroid_y, .57, .001);
    }
}

// A circle stays as wide as it is high, and boxes are where it is.
TEST(DrawFigure, APictureThatIsNotSquareDoesNotDistort) {
    const Scene figure = one("circle", "blue", .5, .5, .4);
    for (const auto& [width, height] : {std::pair(300U, 100U), std::pair(100U, 300U)}) {
        const Image image = draw_figure(figure, width, height);
        unsigned across = 0;
        unsigned down = 0;
        for (unsigned x = 0; x < width; ++x) across += at(image, x, height / 2) == blue ? 1 : 0;
        for (unsigned y = 0; y < height; ++y) down += at(image, width / 2, y) == blue ? 1 : 0;
        EXPECT_EQ(across, down);
        EXPECT_GT(across, 40U);
        const Box box = figure_boxes(figure, width, height).front();
        EXPECT_EQ(box.right - box.left, box.bottom - box.top);
        EXPECT_EQ(box.left + box.right, width);
        EXPECT_EQ(box.top + box.bottom, height);
    }
}

// An object that reaches beyond the picture is cut off.
TEST_P(EveryShape, MayLieAcrossTheBorder) {
    const Image image = draw_figure(one(GetParam(), "blue", 0, 1, .5), 32, 32);
    EXPECT_EQ(at(image, 0, 31), blue);
    EXPECT_EQ(at(image, 31, 31), grey);
    const Image outside = draw_figure(one(GetParam(), "blue", -3, 5, .5), 8, 8);
    for (unsigned y = 0; y < 8; ++y) {
        for (unsigned x = 0; x < 8; ++x) EXPECT_EQ(at(outside, x, y), grey);
    }
}

INSTANTIATE_TEST_SUITE_P(DrawFigure, EveryShape, testing::Values("square", "circle", "triangle"),
                         [](const testing::TestParamInfo<const char*>& tested) { return std::string(tested.param); });

// As measured on the published pictures, where faint pixels at the triangle's corners were not counted.
TEST(DrawFigure, ProportionsAreThePublishedOnes) {
    constexpr double side = .25;
    const Measured square = measure(draw_figure(one("square", "blue", .5, .5, side), 640, 640));
    EXPECT_NEAR(square.width / side, 1, .005);
    EXPECT_NEAR(square.height / side, 1, .005);
    const Measured circle = measure(draw_figure(one("circle", "blue", .5, .5, side), 640, 640));
    EXPECT_NEAR(circle.width / side, 1.28, .015);
    EXPECT_NEAR(circle.height / side, 1.28, .015);
    const Measured triangle = measure(draw_figure(one("triangle", "blue", .5, .5, side), 640, 640));
    EXPECT_NEAR(triangle.width / side, 1.11, .02);
    EXPECT_NEAR(triangle.height / side, .97, .015);
}

TEST(DrawFigure, ATriangleStandsUpright) {
    const Image image = draw_figure(one("triangle", "yellow", .5, .5, .6), 100, 100);
    unsigned last = 0;
    for (unsigned y = 0; y < 100; ++y) {
        unsigned wide = 0;
        for (unsigned x = 0; x < 100; ++x) wide += at(image, x, y) == yellow ? 1 : 0;
        if (wide > 0) {
            EXPECT_GE(wide, last) << y;
            last = wide;
        }
    }
    EXPECT_EQ(at(image, 50, 15), yellow);  // below the tip
    EXPECT_EQ(at(image, 20, 68), yellow);  // in the corner at the left of the base
    EXPECT_EQ(at(image, 20, 15), grey);
}

TEST(DrawFigure, RefusesWhatItDoesNotKnow) {
    EXPECT_THROW(draw_figure(one("cube", "red", .5, .5, .1), 8, 8), std::invalid_argument);
    EXPECT_THROW(draw_figure(one("circle", "purple", .5, .5, .1), 8, 8), std::invalid_argument);
    EXPECT_THROW(draw_figure(one("circle", "red", .5, .5, .1), 0, 8), std::invalid_argument);
}

}  // namespace
}  // namespace neumann
