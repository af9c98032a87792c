#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace neumann {
namespace {

// The published first outputs of SplitMix64 for seed 1234567: the sequence is part of every result that depends on
// chance.
TEST(Rng, IsSplitMix64) {
    Rng rng(1234567);
    EXPECT_EQ(rng.next(), 6457827717110365317ULL);
    EXPECT_EQ(rng.next(), 3203168211198807973ULL);
}

TEST(Rng, EqualSeedsGiveEqualSequences) {
    Rng first(5);
    Rng second(5);
    Rng other(6);
    EXPECT_EQ(first.next(), second.next());
    EXPECT_NE(first.next(), other.next());
}

TEST(Rng, StaysWithinItsRange) {
    Rng rng(1);
    std::vector<int> seen(7, 0);
    for (int i = 0; i < 7000; ++i) ++seen[rng.below(7)];
    for (int count : seen) EXPECT_GT(count, 700);  // 1000 expected
    for (int i = 0; i < 1000; ++i) {
        const double value = rng.uniform();
        ASSERT_GE(value, 0);
        ASSERT_LT(value, 1);
    }
    EXPECT_FALSE(rng.chance(0));
    EXPECT_TRUE(rng.chance(1));
}

}  // namespace
}  // namespace neumann
