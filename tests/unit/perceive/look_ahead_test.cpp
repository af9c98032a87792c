#include <atomic>
#include <chrono>
#include <random>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "image/png.h"
#include "perceive/look_ahead.h"
#include "perceive/looked_examples.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

// Pictures of one colour each; what is seen in one is an object at x = the colour.
struct Pictures {
    TemporaryFolder folder;
    std::vector<std::filesystem::path> paths;

    explicit Pictures(unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            Image picture = Image::blank(16, 16, 1);
            std::fill(picture.data.begin(), picture.data.end(), static_cast<std::uint8_t>(i));
            paths.push_back(folder.path() / fmt::format("{:03}.png", i));
            write_png(paths.back(), picture);
        }
    }
};

SeenObjects see(const Image& picture) {
    SeenObjects seen;
    seen.layout = &flat_layout();
    seen.rows.resize(flat_layout().columns);
    seen.rows[column::x] = picture.data.front();
    return seen;
}

std::vector<SeenObjects> see_all(std::span<const Image> pictures) {
    std::vector<SeenObjects> seen;
    for (const Image& picture : pictures) seen.push_back(see(picture));
    return seen;
}

TEST(LookAhead, InOrderForAnyBatchAndReaders) {
    const Pictures pictures(100);
    for (const std::size_t batch : {1U, 3U, 32U, 200U}) {
        for (const unsigned readers : {1U, 4U}) {
            std::atomic<std::size_t> largest{0};
            LookAheadOptions options;
            options.batch = batch;
            options.readers = readers;
            LookAhead ahead(
                pictures.paths,
                [&](std::span<const Image> these) {
                    largest = std::max<std::size_t>(largest, these.size());
                    return see_all(these);
                },
                options);
            for (unsigned i = 0; i < 100; ++i) {
                const std::optional<LookedAt> looked = ahead.next();
                ASSERT_TRUE(looked);
                EXPECT_EQ(looked->seen.rows[column::x], static_cast<float>(i));
            }
            EXPECT_FALSE(ahead.next());
            EXPECT_FALSE(ahead.next());
            EXPECT_EQ(largest, std::min<std::size_t>(batch, 100));
        }
    }
}

// However slow whoever asks is, only a few batches are looked at ahead.
TEST(LookAhead, DoesNotRunAway) {
    const Pictures pictures(100);
    std::atomic<std::size_t> looked{0};
    LookAheadOptions options;
    options.batch = 4;
    LookAhead ahead(
        pictures.paths,
        [&](std::span<const Image> these) {
            looked += these.size();
            return see_all(these);
        },
        options);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_LE(looked, 16U);
    ahead.next();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_LE(looked, 17U);
}

TEST(LookAhead, WhatCannotBeReadIsTold) {
    Pictures pictures(9);
    for (const std::size_t bad : {0U, 4U, 8U}) std::ofstream(pictures.paths[bad], std::ios::trunc) << "no picture";
    LookAheadOptions options;
    options.batch = 2;
    LookAhead ahead(pictures.paths, see_all, options);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(ahead.next()->failed.empty(), i % 4 != 0) << i;
    EXPECT_FALSE(LookAhead({}, see_all, options).next());
}

TEST(LookAhead, FailuresOfTheNetworkArrive) {
    const Pictures pictures(50);
    LookAheadOptions options;
    options.batch = 8;
    LookAhead ahead(
        pictures.paths,
        [](std::span<const Image> these) -> std::vector<SeenObjects> {
            if (these.front().data.front() >= 16) throw std::runtime_error("enough");
            return see_all(these);
        },
        options);
    EXPECT_THROW(
        {
            while (ahead.next()) continue;
        },
        std::runtime_error);
}

TEST(LookAhead, MayBeLeftAtAnyTime) {
    const Pictures pictures(60);
    std::mt19937 random(1);
    for (unsigned round = 0; round < 40; ++round) {
        LookAheadOptions options;
        options.batch = 1 + random() % 9;
        options.readers = 1 + random() % 3;
        LookAhead ahead(pictures.paths, see_all, options);
        for (unsigned i = random() % 60; i > 0; --i) ASSERT_TRUE(ahead.next());
    }
}

TEST(LookAhead, TheCacheSavesLooking) {
    const Pictures pictures(40);
    std::atomic<std::size_t> looked{0};
    const auto look = [&](std::span<const Image> these) {
        looked += these.size();
        return see_all(these);
    };
    for (const std::size_t expected : {20U, 20U, 0U}) {  // the first half, then the second, then nothing
        SeenCache cache(pictures.folder.path() / "seen", pictures.folder.path(), "f");
        LookAheadOptions options;
        options.batch = 7;
        options.cache = &cache;
        looked = 0;
        const bool first = std::filesystem::file_size(pictures.folder.path() / "seen" / "f.seen") == 0;
        const std::vector<std::filesystem::path> these(pictures.paths.begin(),
                                                       first ? pictures.paths.begin() + 20 : pictures.paths.end());
        LookAhead ahead(these, look, options);
        for (std::size_t i = 0; i < these.size(); ++i)
            EXPECT_EQ(ahead.next()->seen.rows[column::x], static_cast<float>(i));
        EXPECT_EQ(looked, expected);
    }
}

TEST(LookedExamples, SharedPicturesAreLookedAtOnce) {
    const Pictures pictures(3);
    const auto& p = pictures.paths;
    std::ofstream(p[2], std::ios::trunc) << "no picture";
    const std::vector<PictureExample> examples = {
        {"a", {p[1], p[0]}, {}, {}, {}}, {"b", {p[0], p[2]}, {}, {}, {}}, {"c", {p[0], p[0], p[1]}, 1, {}, {}}};
    std::atomic<std::size_t> looked{0};
    LookedExamples all(examples,
                       [&](std::span<const Image> these) {
                           looked += these.size();
                           return see_all(these);
                       },
                       {});
    const auto xs = [&] {
        std::vector<float> result;
        const std::optional<LookedExample> example = all.next();
        for (const auto& image : example->images) result.push_back(image->seen.rows[column::x]);
        return result;
    };
    EXPECT_EQ(xs(), (std::vector<float>{1, 0}));
    EXPECT_EQ(xs(), (std::vector<float>{0, 0, 1}));
    EXPECT_FALSE(all.next());
    EXPECT_EQ(looked, 2U);
    EXPECT_EQ(all.skipped(), 1U);
    EXPECT_EQ(all.reasons().size(), 1U);
    const std::string told = describe_skipped(7, all.reasons(), 2);
    EXPECT_NE(told.find("6 more"), std::string::npos);
    EXPECT_NE(told.find("2 other files"), std::string::npos);
}

}  // namespace
}  // namespace neumann
