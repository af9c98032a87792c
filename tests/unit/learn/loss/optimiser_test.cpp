#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "learn/loss/optimiser.h"

namespace neumann {
namespace {

using Values = std::vector<double>;

OptimiserOptions options(OptimiserKind kind, double rate) {
    OptimiserOptions result;
    result.kind = kind;
    result.rate = rate;
    result.epsilon = 1e-8;
    return result;
}

TEST(Optimiser, SgdGoesAgainstTheGradient) {
    Optimiser sgd(options(OptimiserKind::Sgd, 0.1), 3);
    Values x = {1, 2, 3};
    sgd.step(x, Values{1, 0, -4});
    EXPECT_DOUBLE_EQ(x[0], 0.9);
    EXPECT_DOUBLE_EQ(x[1], 2);
    EXPECT_DOUBLE_EQ(x[2], 3.4);
    sgd.step(x, Values{1, 1, 0});
    EXPECT_DOUBLE_EQ(x[0], 0.8);
    EXPECT_DOUBLE_EQ(x[1], 1.9);
    EXPECT_DOUBLE_EQ(x[2], 3.4);
}

TEST(Optimiser, RmsPropDividesByTheRootOfTheMeanSquare) {
    OptimiserOptions rms = options(OptimiserKind::RmsProp, 0.01);
    rms.decay = 0.99;
    Optimiser optimiser(rms, 2);
    Values x = {5, 5};
    // The mean square is 0.01·2² = 0.04: a step of 0.01·2/0.2, whatever the size of the gradient.
    optimiser.step(x, Values{2, -200});
    EXPECT_NEAR(x[0], 4.9, 1e-8);
    EXPECT_NEAR(x[1], 5.1, 1e-8);
    // 0.99·0.04 + 0.01·1² = 0.0496.
    optimiser.step(x, Values{-1, 0});
    EXPECT_NEAR(x[0], 4.9 + 0.01 / std::sqrt(0.0496), 1e-8);
    EXPECT_NEAR(x[1], 5.1, 1e-8);
}

TEST(Optimiser, AdamStartsWithTheRateAndKeepsItsMomentum) {
    OptimiserOptions adam = options(OptimiserKind::Adam, 0.001);
    adam.beta1 = 0.9;
    adam.beta2 = 0.999;
    Optimiser optimiser(adam, 2);
    Values x = {0, 0};
    // Corrected means are g and g²: the first step is the rate, against the sign of the gradient.
    optimiser.step(x, Values{3, -0.5});
    EXPECT_NEAR(x[0], -0.001, 1e-10);
    EXPECT_NEAR(x[1], 0.001, 1e-10);
    // Mean (0.9·0.3 + 0.1·(−1))/(1 − 0.81) = 0.17/0.19, mean square (0.999·0.009 + 0.001)/(1 − 0.998001).
    optimiser.step(x, Values{-1, -0.5});
    EXPECT_NEAR(x[0], -0.001 - 0.001 * (0.17 / 0.19) / std::sqrt(0.009991 / 0.001999), 1e-10);
    EXPECT_NEAR(x[1], 0.002, 1e-10);
}

TEST(Optimiser, AZeroGradientAtFirstLeavesParametersAlone) {
    for (const OptimiserKind kind : {OptimiserKind::RmsProp, OptimiserKind::Adam, OptimiserKind::Sgd}) {
        Optimiser optimiser(options(kind, 0.1), 1);
        Values x = {0.25};
        optimiser.step(x, Values{0});
        EXPECT_EQ(x[0], 0.25);
    }
}

TEST(Optimiser, RestoredItGoesOnToTheBit) {
    for (const OptimiserKind kind : {OptimiserKind::RmsProp, OptimiserKind::Adam, OptimiserKind::Sgd}) {
        Rng rng(11);
        const auto gradient = [&] { return Values{rng.uniform() - 0.5, 10 * rng.uniform(), 1e-9 * rng.uniform()}; };
        Optimiser optimiser(options(kind, 0.03), 3);
        Values x = {0.1, 0.2, 0.3};
        for (int i = 0; i < 7; ++i) optimiser.step(x, gradient());
        Optimiser other(options(kind, 0.03), 3);
        Values y = x;
        other.restore(optimiser.state());
        for (int i = 0; i < 5; ++i) {
            const Values g = gradient();
            optimiser.step(x, g);
            other.step(y, g);
            EXPECT_EQ(x, y);
        }
        EXPECT_EQ(optimiser.state(), other.state());
        // What a new one would do instead, where there is a memory.
        Optimiser forgetful(options(kind, 0.03), 3);
        Values z = x;
        const Values g = gradient();
        forgetful.step(z, g);
        optimiser.step(x, g);
        EXPECT_EQ(x == z, kind == OptimiserKind::Sgd);
    }
}

TEST(Optimiser, HasNames) {
    EXPECT_EQ(find_optimiser("rmsprop"), OptimiserKind::RmsProp);
    EXPECT_EQ(find_optimiser("adam"), OptimiserKind::Adam);
    EXPECT_EQ(find_optimiser("sgd"), OptimiserKind::Sgd);
    EXPECT_EQ(find_optimiser("Adam"), std::nullopt);
    EXPECT_EQ(find_optimiser(""), std::nullopt);
}

}  // namespace
}  // namespace neumann
