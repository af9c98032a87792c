#include <array>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "base/pod_vector.h"

namespace neumann {
namespace {

PodVector<std::uint32_t> numbers(std::uint32_t count) {
    PodVector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < count; ++i) result.push_back(i);
    return result;
}

TEST(PodVector, KeepsItsValuesWhileItGrows) {
    const PodVector<std::uint32_t> values = numbers(10'000);
    ASSERT_EQ(values.size(), 10'000U);
    for (std::uint32_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], i);
}

// Large arrays are whole pages from the system; a value that does not divide a page is the odd case.
TEST(PodVector, KeepsItsValuesBeyondASmallBlock) {
    struct Odd {
        std::uint32_t a, b, c;
    };
    PodVector<Odd> values;
    constexpr std::uint32_t count = 1'000'000;
    for (std::uint32_t i = 0; i < count; ++i) values.push_back({i, i + 1, i + 2});
    const PodVector<Odd> copy = values;
    PodVector<Odd> moved = std::move(values);
    moved.resize(2 * count, {7, 7, 7});
    for (std::uint32_t i = 0; i < count; ++i) {
        ASSERT_EQ(copy[i].c, i + 2);
        ASSERT_EQ(moved[i].b, i + 1);
        ASSERT_EQ(moved[count + i].a, 7U);
    }
}

// Around the size at which one kind of block gives way to the other.
TEST(PodVector, GrowsAcrossEveryBoundary) {
    constexpr std::size_t boundary = huge_page_bytes / sizeof(std::uint32_t);
    for (std::size_t size = boundary - 2; size <= boundary + 2; ++size) {
        PodVector<std::uint32_t> values(size, 5);
        values.reserve(size + 1);
        values.push_back(6);
        values.reserve(2 * boundary + 1);
        ASSERT_EQ(values[0], 5U);
        ASSERT_EQ(values[size - 1], 5U);
        ASSERT_EQ(values.back(), 6U);
    }
}

TEST(PodVector, CopiesAreIndependent) {
    PodVector<std::uint32_t> first = numbers(3);
    PodVector<std::uint32_t> second = first;
    second[0] = 9;
    EXPECT_EQ(first[0], 0U);
    first = second;
    EXPECT_EQ(first[0], 9U);
}

TEST(PodVector, MovingLeavesNothingBehind) {
    PodVector<std::uint32_t> first = numbers(3);
    const PodVector<std::uint32_t> second = std::move(first);
    EXPECT_EQ(second.size(), 3U);
    EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): this is what is tested
}

TEST(PodVector, ResizeFillsOnlyWhatIsNew) {
    PodVector<std::uint32_t> values = numbers(2);
    values.resize(4, 7);
    EXPECT_EQ(values[1], 1U);
    EXPECT_EQ(values[2], 7U);
    EXPECT_EQ(values.back(), 7U);
    values.resize(1);
    EXPECT_EQ(values.size(), 1U);
}

TEST(PodVector, AppendsAndExtends) {
    PodVector<std::uint32_t> values;
    values.append({});  // of nothing to nothing
    EXPECT_TRUE(values.empty());
    values.append(std::array<std::uint32_t, 2>{1, 2});
    std::uint32_t* room = values.extend(2);
    room[0] = 3;
    room[1] = 4;
    EXPECT_EQ(values.size(), 4U);
    EXPECT_EQ(values[3], 4U);
}

TEST(PodVector, ClearKeepsRoomAndReleaseGivesItBack) {
    PodVector<std::uint32_t> values = numbers(100);
    values.clear();
    EXPECT_TRUE(values.empty());
    EXPECT_GE(values.capacity_bytes(), 400U);
    values.release();
    EXPECT_EQ(values.capacity_bytes(), 0U);
}

TEST(PodVector, RefusesSizesBeyondTheAddressSpace) {
    PodVector<std::uint64_t> values;
    EXPECT_THROW(values.reserve(static_cast<std::size_t>(-1) / 8), std::bad_alloc);
    EXPECT_TRUE(values.empty());
}

}  // namespace
}  // namespace neumann
