#include <algorithm>
#include <cstdint>
#include <iostream>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "learn/evaluate/program_evaluator.h"

namespace neumann {
namespace {

using Values = std::vector<float>;
using Labels = std::vector<bool>;

TEST(LabelledValues, AccuracyIsTheShareOnTheRightSide) {
    const LabelledValues run{Values{0.5F, 0.25F, 0.75F, 0.0F}, Labels{true, true, false, false}};
    EXPECT_DOUBLE_EQ(run.accuracy(0.5), 0.5) << "at the threshold is above it";
    EXPECT_DOUBLE_EQ(run.accuracy(0.25), 0.75);
    EXPECT_EQ(LabelledValues().accuracy(0.5), 0);
}

TEST(LabelledValues, TheBestThresholdIsOneHalfIfThatIsAsGoodAsAny) {
    const auto best = [](const Values& values) {
        return LabelledValues{values, Labels{true, true, false, false}}.best_threshold();
    };
    EXPECT_EQ(best({0.9F, 0.8F, 0.1F, 0.2F}), 0.5);
    EXPECT_EQ(best({0.5F, 0.6F, 0.4F, 0.45F}), 0.5);
    EXPECT_EQ(best({0.9F, 0.6F, 0.7F, 0.2F}), 0.5) << "it gets three right, and so does 0.8";
    EXPECT_EQ(best({0.3F, 0.3F, 0.3F, 0.3F}), 0.5) << "nothing can tell them apart";
    EXPECT_EQ(LabelledValues().best_threshold(), 0.5);
}

TEST(LabelledValues, ElseTheBestThresholdLiesHalfwayBetweenTwoValues) {
    const Labels labels = {true, true, false, false};
    EXPECT_DOUBLE_EQ((LabelledValues{Values{0.25F, 0.375F, 0.125F, 0.0F}, labels}.best_threshold()), 0.1875);
    EXPECT_DOUBLE_EQ((LabelledValues{Values{1.0F, 0.875F, 0.625F, 0.75F}, labels}.best_threshold()), 0.8125);
}

TEST(LabelledValues, NoOtherThresholdIsBetter) {
    constexpr std::uint64_t seed = 5;
    std::cout << "seed " << seed << std::endl;
    Rng rng(seed);
    for (int trial = 0; trial < 500; ++trial) {
        LabelledValues run;
        for (std::uint32_t n = 1 + rng.below(8); n > 0; --n) {
            run.values.push_back(static_cast<float>(rng.below(9)) / 8);
            run.positive.push_back(rng.chance(0.5));
        }
        const double threshold = run.best_threshold();
        double best = run.accuracy(0.5);
        EXPECT_TRUE(run.accuracy(threshold) > best || threshold == 0.5);
        Values sorted = run.values;
        std::ranges::sort(sorted);
        if (sorted[0] > 0) best = std::max(best, run.accuracy(static_cast<double>(sorted[0]) / 2));
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            const double between = (static_cast<double>(sorted[i - 1]) + static_cast<double>(sorted[i])) / 2;
            if (sorted[i - 1] < sorted[i]) best = std::max(best, run.accuracy(between));
        }
        EXPECT_DOUBLE_EQ(run.accuracy(threshold), best)
            << testing::PrintToString(run.values) << testing::PrintToString(run.positive);
    }
}

// Below 0.125 two of three are right, at one half one is.
TEST(LabelledValues, TheBestThresholdMayLieBelowAllValues) {
    const LabelledValues run{Values{0.125F, 0.25F, 0.375F}, Labels{true, true, false}};
    EXPECT_DOUBLE_EQ(run.accuracy(run.best_threshold()), 2.0 / 3);
}

}  // namespace
}  // namespace neumann
