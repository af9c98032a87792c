// Heat maps over pictures: sizes, and that what is heavier is brighter.
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "explain/heat_overlay.h"
#include "image/png.h"
#include "report/object_heat_maps.h"
#include "unit/temporary_folder.h"
#include "valuation/object_vectors.h"
#include "valuation/seen_box.h"

namespace neumann {
namespace {

Image plain(unsigned width, unsigned height, unsigned channels, std::uint8_t value = 200) {
    Image image = Image::blank(width, height, channels);
    std::fill(image.data.begin(), image.data.end(), value);
    return image;
}

int brightness(const Image& image, unsigned x, unsigned y) {
    return std::accumulate(image.at(x, y), image.at(x, y) + image.channels, 0);
}

TEST(HeatOverlay, HasThePicturesSizeAndThreeChannels) {
    for (const unsigned channels : {1U, 3U}) {
        const Image overlay = heat_overlay(plain(30, 20, channels), {});
        EXPECT_EQ(overlay.width, 30U);
        EXPECT_EQ(overlay.height, 20U);
        EXPECT_EQ(overlay.channels, 3U);
        EXPECT_EQ(overlay.data.size(), 1800U);
    }
}

TEST(HeatOverlay, IsDarkWhereNothingMatters) {
    const Image picture = plain(16, 16, 3);
    const std::vector<WeightedMask> masks{{0, plain(16, 16, 1, 255)}, {0, box_mask(0.5, 0.5, 0.5, 0.5, 8, 8)}};
    const Image overlay = heat_overlay(picture, masks);
    EXPECT_EQ(overlay, heat_overlay(picture, {}));
    for (const std::uint8_t value : overlay.data) EXPECT_LT(value, 200 / 3);
}

TEST(HeatOverlay, IsThePictureWhereAllMatters) {
    Image picture = plain(12, 10, 3);
    *picture.at(3, 4) = 17;
    const std::vector<WeightedMask> masks{{0.3, plain(5, 7, 1, 255)}};  // weights are relative
    EXPECT_EQ(heat_overlay(picture, masks), picture);
    // But where nothing matters, nothing shines.
    const std::vector<WeightedMask> dust{{1e-6, plain(5, 7, 1, 255)}};
    const std::vector<WeightedMask> none{{0, plain(5, 7, 1, 255)}};
    const Image faint = heat_overlay(picture, dust);
    const Image dark = heat_overlay(picture, none);
    for (std::size_t i = 0; i < dark.data.size(); ++i) EXPECT_NEAR(faint.data[i], dark.data[i], 2) << i;
}

TEST(HeatOverlay, GreyPicturesAreLitLikeColouredOnes) {
    const std::vector<WeightedMask> masks{{1, box_mask(0.4, 0.5, 0.4, 0.3, 16, 16)}};
    EXPECT_EQ(heat_overlay(plain(40, 40, 1, 120), masks), heat_overlay(plain(40, 40, 3, 120), masks));
}

TEST(HeatOverlay, TheHeavierTheBrighter) {
    const std::vector<WeightedMask> masks{{0.3, box_mask(0.125, 0.5, 0.12, 0.3, 80, 40)},
                                          {0.6, box_mask(0.375, 0.5, 0.12, 0.3, 80, 40)},
                                          {0, box_mask(0.625, 0.5, 0.12, 0.3, 80, 40)},
                                          {0.9, box_mask(0.875, 0.5, 0.12, 0.3, 80, 40)}};
    const Image overlay = heat_overlay(plain(160, 80, 3), masks);
    const int light = brightness(overlay, 20, 40);
    const int middle = brightness(overlay, 60, 40);
    const int nothing = brightness(overlay, 100, 40);
    const int heavy = brightness(overlay, 140, 40);
    EXPECT_LT(nothing, light);
    EXPECT_LT(light, middle);
    EXPECT_LT(middle, heavy);
    EXPECT_EQ(heavy, 600);
    EXPECT_EQ(nothing, brightness(overlay, 100, 0));  // as dark as where there is no object
}

TEST(HeatOverlay, MasksOfAnySizeAreStretchedOverThePicture) {
    Image halves = Image::blank(2, 1, 1);
    *halves.at(1, 0) = 255;
    const Image overlay = heat_overlay(plain(101, 7, 3), std::vector<WeightedMask>{{2, halves}});
    EXPECT_LT(brightness(overlay, 0, 3), 250);
    EXPECT_EQ(brightness(overlay, 100, 3), 600);
    EXPECT_EQ(heat_overlay(plain(3, 3, 3), std::vector<WeightedMask>{{1, plain(500, 300, 1, 255)}}), plain(3, 3, 3));
    EXPECT_EQ(heat_overlay(plain(1, 1, 3), std::vector<WeightedMask>{{1, plain(1, 1, 1, 255)}}), plain(1, 1, 3));
}

TEST(HeatOverlay, RefusesWhatIsNoMask) {
    const Image picture = plain(8, 8, 3);
    const auto overlay = [&](double weight, const Image& mask) {
        return heat_overlay(picture, std::vector<WeightedMask>{{weight, mask}});
    };
    EXPECT_THROW(overlay(1, plain(8, 8, 3)), std::invalid_argument);
    EXPECT_THROW(overlay(1, Image{}), std::invalid_argument);
    EXPECT_THROW(overlay(-1, plain(8, 8, 1)), std::invalid_argument);
    EXPECT_THROW(overlay(std::numeric_limits<double>::quiet_NaN(), plain(8, 8, 1)), std::invalid_argument);
    EXPECT_THROW(heat_overlay(plain(8, 8, 2), {}), std::invalid_argument);
    EXPECT_THROW(heat_overlay(Image{}, {}), std::invalid_argument);
    EXPECT_THROW(box_mask(0.5, 0.5, 1, 1, 0, 4), std::invalid_argument);
}

TEST(BoxMask, FillsItsBoxAndFadesTowardsTheCorners) {
    const Image mask = box_mask(0.5, 0.25, 0.4, 0.2, 100, 100);
    EXPECT_EQ(*mask.at(50, 25), 255);
    EXPECT_EQ(*mask.at(34, 25), 255);
    EXPECT_LT(*mask.at(30, 15), 20);  // a corner of the box
    EXPECT_EQ(*mask.at(20, 25), 0);
    EXPECT_EQ(*mask.at(50, 60), 0);
    EXPECT_GT(*mask.at(30, 25), *mask.at(27, 25));
}

TEST(BoxMask, OfNothingIsAPixel) {
    const Image mask = box_mask(0.55, 0.55, 0, -1, 10, 10);
    EXPECT_EQ(*mask.at(5, 5), 255);
    EXPECT_EQ(*mask.at(2, 5), 0);
}

// Two squares side by side, and a third object that is not seen as such.
SeenObjects seen_objects() {
    const ObjectLayout& layout = flat_layout();
    SeenObjects seen;
    seen.layout = &layout;
    const std::vector<std::vector<float>> places{{0.25F, 0.5F, 0.2F, 0.4F}, {0.75F, 0.5F, 0.2F, 0.4F}};
    for (const std::vector<float>& place : places) {
        std::vector<float> row(layout.columns, 0.0F);
        row[column::presence] = 1;
        std::copy(place.begin(), place.end(), row.begin() + column::x);
        const AttributeColumns& shape = *layout.find("shape");
        for (std::size_t v = 0; v < shape.values.size(); ++v)
            row[shape.first + v] = shape.values[v] == "square" ? 1 : 0;
        seen.rows.insert(seen.rows.end(), row.begin(), row.end());
    }
    return seen;
}

ExplainedObject object(std::size_t row, double weight, std::uint32_t image = 0) {
    ExplainedObject result;
    result.row = row;
    result.weight = weight;
    result.image = image;
    return result;
}

TEST(PictureOverlay, LightsTheBoxesOfItsOwnPicture) {
    const std::vector<ExplainedObject> objects{object(0, 0.5), object(1, 0), object(7, 1), object(1, 1, 1)};
    const Image picture = plain(100, 50, 3);
    const Image first = overlay_of(picture, seen_objects(), objects, 0);
    EXPECT_EQ(brightness(first, 25, 25), 600);  // an object that was not seen does not dim the others
    EXPECT_LT(brightness(first, 75, 25), 200);
    const Image second = overlay_of(picture, seen_objects(), objects, 1);
    EXPECT_LT(brightness(second, 25, 25), 200);
    EXPECT_EQ(brightness(second, 75, 25), 600);
}

TEST(PictureOverlay, TakesAttentionWhereThereIsSome) {
    SeenObjects seen = seen_objects();
    for (const unsigned middle : {2U, 7U}) {
        Image attention = plain(10, 5, 1, 40);  // a little everywhere
        for (unsigned y = 1; y < 4; ++y) *attention.at(middle, y) = 255;
        seen.attention.push_back(attention);
    }
    const std::vector<ExplainedObject> objects{object(0, 1), object(1, 0.001)};
    const Image overlay = overlay_of(plain(100, 50, 3), seen, objects, 0);
    EXPECT_EQ(brightness(overlay, 25, 25), 600);
    EXPECT_EQ(brightness(overlay, 50, 2), brightness(overlay, 99, 49));
    EXPECT_LT(brightness(overlay, 75, 25), 200);
}

TEST(PictureOverlay, WhatStandsInFrontHidesWhatIsBehind) {
    SeenObjects seen = seen_objects();
    const unsigned columns = seen.layout->columns;
    seen.rows[columns + column::x] = 0.3F;  // the second overlaps the first, and is lower
    seen.rows[columns + column::y] = 0.7F;
    const Image picture = plain(100, 50, 3);
    const Image behind = overlay_of(picture, seen, std::vector{object(0, 1)}, 0);
    EXPECT_EQ(brightness(behind, 25, 18), 600);
    EXPECT_LT(brightness(behind, 29, 33), 400);  // in both boxes
    const Image front = overlay_of(picture, seen, std::vector{object(1, 1)}, 0);
    EXPECT_EQ(brightness(front, 29, 33), 600);
}

TEST(PictureOverlay, TrianglesStandAboveTheirCentroid) {
    SeenObjects seen = seen_objects();
    const AttributeColumns& shape = *seen.layout->find("shape");
    for (std::size_t v = 0; v < shape.values.size(); ++v)
        seen.rows[shape.first + v] = shape.values[v] == "triangle" ? 1 : 0;
    EXPECT_NEAR(seen_box(seen, 0).y, 0.5 - 0.4 / 6, 1e-6);
    EXPECT_NEAR(seen_box(seen, 1).y, 0.5, 1e-6);
}

TEST(PictureOverlay, IsWrittenForEveryPicture) {
    const TemporaryFolder folder;
    const std::vector<std::filesystem::path> pictures{folder.path() / "a.png", folder.path() / "b.png"};
    write_png(pictures[0], plain(60, 30, 3));
    write_png(pictures[1], plain(40, 40, 1));
    const SeenObjects seen = seen_objects();
    const std::vector<const SeenObjects*> both{&seen, &seen};
    const std::vector<ExplainedObject> objects{object(0, 1), object(1, 1, 1)};
    const auto files = write_heat_maps(pictures, both, objects, folder.path() / "heat.png");
    ASSERT_EQ(files, (std::vector<std::filesystem::path>{folder.path() / "heat.png", folder.path() / "heat_img2.png"}));
    EXPECT_EQ(read_png(files[0]), overlay_of(plain(60, 30, 3), seen, objects, 0));
    EXPECT_EQ(read_png(files[1]), overlay_of(plain(40, 40, 3), seen, objects, 1));
    write_heat_maps(pictures, both, objects, folder.path() / "heat.png", HeatMapForm::BesideOriginal);
    const Image figure = read_png(files[0]);
    EXPECT_EQ(figure.height, 30U);
    EXPECT_GT(figure.width, 120U);
    EXPECT_EQ(brightness(figure, 59, 29), 600);  // the original is on the left
    EXPECT_LT(brightness(figure, figure.width - 1, 29), 200);
    EXPECT_THROW(write_heat_maps(pictures, std::span(both).first(1), objects, folder.path() / "x.png"),
                 std::invalid_argument);
}

}  // namespace
}  // namespace neumann
