#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "base/shared_array.h"

namespace neumann {
namespace {

TEST(SharedArray, OwnsAndSharesItsValues) {
    SharedArray<std::uint32_t> copy;
    {
        const SharedArray<std::uint32_t> array(PodVector<std::uint32_t>(3, 5));
        copy = array;
        EXPECT_EQ(copy.data(), array.data());
    }
    EXPECT_EQ(copy.size(), 3U);
    EXPECT_EQ(copy[2], 5U);
    EXPECT_EQ(copy.bytes(), 12U);
}

TEST(SharedArray, KeepsAliveWhatItBorrowsFrom) {
    auto owner = std::make_shared<std::array<std::uint32_t, 2>>(std::array<std::uint32_t, 2>{1, 2});
    const std::weak_ptr<std::array<std::uint32_t, 2>> watched = owner;
    {
        const SharedArray<std::uint32_t> array(*owner, owner);
        owner.reset();
        EXPECT_FALSE(watched.expired());
        EXPECT_EQ(array[1], 2U);
    }
    EXPECT_TRUE(watched.expired());
}

TEST(SharedArray, MayBeEmpty) {
    const SharedArray<std::uint32_t> array;
    EXPECT_TRUE(array.empty());
    EXPECT_EQ(array.begin(), array.end());
}

}  // namespace
}  // namespace neumann
