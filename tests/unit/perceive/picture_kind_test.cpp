#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "datasets/dataset.h"
#include "perceive/picture_kind.h"
#include "render/draw_figure.h"
#include "render/trace.h"
#include "scene/place_objects.h"

namespace neumann {
namespace {

Image filled(unsigned side, std::uint8_t value) {
    Image picture = Image::blank(side, side, 3);
    std::ranges::fill(picture.data, value);
    return picture;
}

Image brightened(Image picture, double by) {
    for (std::uint8_t& value : picture.data) value = static_cast<std::uint8_t>(std::min(255.0, value * by));
    return picture;
}

Image with_noise(Image picture, double deviation, Rng& rng) {
    for (std::uint8_t& value : picture.data) {
        double sum = -6;  // twelve uniform numbers are nearly a normal one
        for (int i = 0; i < 12; ++i) sum += rng.uniform();
        value = static_cast<std::uint8_t>(std::clamp(value + deviation * sum, 0.0, 255.0));
    }
    return picture;
}

Image on_white(Image picture) {
    constexpr std::uint8_t ground = 215;
    for (std::size_t i = 0; i + 2 < picture.data.size(); i += 3) {
        const auto pixel = std::span(picture.data).subspan(i, 3);
        if (std::ranges::all_of(pixel, [](std::uint8_t value) { return value == ground; }))
            std::ranges::fill(pixel, std::uint8_t{255});
    }
    return picture;
}

// As a camera, a scanner or an editor might change it.
std::vector<std::pair<std::string, Image>> changed(const Image& picture, Rng& rng) {
    return {{"as it is", picture},
            {"half as bright", brightened(picture, 0.5)},
            {"darker", brightened(picture, 0.8)},
            {"lighter", brightened(picture, 1.2)},
            {"a little noise", with_noise(picture, 5, rng)},
            {"noise", with_noise(picture, 20, rng)},
            {"on white", on_white(picture)}};
}

TEST(PictureKind, ShareOfTheGround) {
    Image picture = filled(64, 100);
    EXPECT_EQ(even_ground_share(picture), 1);
    for (unsigned y = 0; y < 16; ++y)
        for (unsigned x = 0; x < 64; ++x) picture.at(x, y)[1] = 200;
    EXPECT_EQ(even_ground_share(picture), 0.75);
    EXPECT_EQ(even_ground_share(Image()), 0);
    EXPECT_EQ(even_ground_share(filled(1, 7)), 1);
}

TEST(PictureKind, FiguresAreFlatHoweverThePictureIsChanged) {
    constexpr std::uint64_t seed = 5;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    for (const std::string pattern : {"twopairs", "closeby", "online-pair"}) {
        DatasetRequest request;
        request.name = "kandinsky";
        request.pattern = pattern;
        request.count = 10;
        for (const SceneExample& example : make_examples(request, Split::Train))
            for (const auto& [how, picture] : changed(draw_figure(example.images.front(), 128, 128), rng))
                EXPECT_EQ(picture_kind(picture), PictureKind::Flat)
                    << pattern << ", " << how << ": " << even_ground_share(picture);
    }
}

TEST(PictureKind, SolidScenesAreNot) {
    constexpr std::uint64_t seed = 6;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    DatasetRequest request;
    request.name = "clevr-hans";
    request.count = 6;
    TraceOptions options = TraceOptions::training();
    options.width = 96;
    options.height = 64;
    for (const SceneExample& example : make_examples(request, Split::Train))
        for (const auto& [how, picture] : changed(trace_scene(example.images.front(), options).picture, rng))
            EXPECT_EQ(picture_kind(picture), PictureKind::Solid) << how << ": " << even_ground_share(picture);
}

TEST(PictureKind, AnyEvenGroundWillDo) {
    for (const int grey : {0, 30, 128, 215, 255})
        EXPECT_TRUE(shows_flat_figures(filled(32, static_cast<std::uint8_t>(grey)))) << grey;
    Image picture = filled(32, 215);
    picture.channels = 1;
    picture.data.resize(std::size_t{32} * 32);
    EXPECT_TRUE(shows_flat_figures(picture));
}

TEST(PictureKind, ThereAreCasesThatNobodyCanDecide) {
    Image picture = filled(64, 200);
    for (unsigned y = 0; y < 64; ++y)  // darker, then brighter than the ground
        for (unsigned x = 0; x < 40; ++x)
            for (unsigned c = 0; c < 3; ++c)
                picture.at(x, y)[c] = static_cast<std::uint8_t>(x < 20 ? 4 * x + c : 210 + x);
    EXPECT_EQ(picture_kind(picture), PictureKind::Undecided) << even_ground_share(picture);
}

}  // namespace
}  // namespace neumann
