#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "reason/reasoner.h"
#include "reason/weights.h"

namespace neumann {
namespace {

using Numbers = std::vector<double>;

void expect_near(const Numbers& actual, const Numbers& expected, double tolerance) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "number " << i;
}

Numbers random_logits(Rng& rng, std::size_t count, double spread) {
    Numbers logits(count);
    for (double& x : logits) x = spread * (2 * rng.uniform() - 1);
    return logits;
}

// As the header says it, without care for large numbers and without clamping.
Numbers unclamped(const WeightComposition& composition, const Numbers& logits, std::size_t clauses) {
    Numbers sums(clauses, composition.leak_free ? 1.0 : 0.0);
    for (unsigned m = 0; m < composition.slots; ++m) {
        double total = 0;
        for (std::size_t k = 0; k < clauses; ++k) total += std::exp(logits[m * clauses + k]);
        for (std::size_t k = 0; k < clauses; ++k)
            sums[k] += std::exp(std::exp(logits[m * clauses + k]) / total / composition.gamma) -
                       (composition.leak_free ? 1.0 : 0.0);
    }
    for (double& x : sums) x = composition.gamma * std::log(x);
    return sums;
}

// The derivatives of Σ weight_gradient·w, w not clamped, by central differences.
Numbers differences(const WeightComposition& composition, Numbers logits, const Numbers& weight_gradient) {
    constexpr double h = 1e-6;
    const auto loss = [&] {
        const Numbers weights = unclamped(composition, logits, weight_gradient.size());
        return std::inner_product(weights.begin(), weights.end(), weight_gradient.begin(), 0.0);
    };
    Numbers result;
    for (double& x : logits) {
        const double before = x;
        x = before + h;
        const double right = loss();
        x = before - h;
        result.push_back((right - loss()) / (2 * h));
        x = before;
    }
    return result;
}

TEST(Weights, TwoSlotsThatCannotDecide) {
    // Every slot gives every clause ½: 0.2·log(2·e^{2.5} − 1), and 0.5 + 0.2·log 2.
    expect_near(WeightComposition{2, 0.2, true}.compose(Numbers(4, 0.0), 2), {0.6302477318, 0.6302477318}, 1e-9);
    expect_near(WeightComposition{2, 0.2, false}.compose(Numbers(4, 0.0), 2), {0.6386294361, 0.6386294361}, 1e-9);
}

TEST(Weights, TheExampleOfThePaper) {
    const Numbers logits = {std::log(0.1), std::log(0.7), std::log(0.2), std::log(0.8), std::log(0.1), std::log(0.1)};
    for (const bool leak_free : {true, false})
        expect_near(WeightComposition{2, 0.01, leak_free}.compose(logits, 3), {0.8, 0.7, 0.2}, 1e-6);
}

TEST(Weights, OneSlotIsSoftmax) {
    const Numbers logits = {std::log(1.0) + 7, std::log(4.0) + 7, std::log(5.0) + 7};
    for (const bool leak_free : {true, false}) {
        const WeightComposition composition{1, 0.05, leak_free};
        expect_near(composition.compose(logits, 3), {0.1, 0.4, 0.5}, 1e-14);
        // p₁·(δ − p): what moves when the middle one should grow.
        expect_near(composition.compose_gradient(logits, 3, Numbers{0, 1, 0}), {-0.04, 0.24, -0.2}, 1e-14);
    }
}

TEST(Weights, TheyAreWhatTheFormulaSaysCutOffAtOne) {
    std::size_t cut = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Rng rng(seed);
        const WeightComposition composition{1 + rng.below(4), rng.chance(0.5) ? 0.01 : 0.3, rng.chance(0.5)};
        const std::size_t clauses = 1 + rng.below(6);
        const Numbers logits = random_logits(rng, composition.slots * clauses, rng.chance(0.5) ? 1 : 8);
        Numbers expected = unclamped(composition, logits, clauses);
        for (double& x : expected) {
            cut += x > 1 ? 1 : 0;
            x = std::min(1.0, x);
        }
        SCOPED_TRACE(seed);
        expect_near(composition.compose(logits, clauses), expected, 1e-12);
    }
    EXPECT_GT(cut, 20U);
}

TEST(Weights, GradientsAreFiniteDifferences) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Rng rng(seed);
        constexpr double gammas[] = {0.01, 0.05, 0.5};
        const WeightComposition composition{1 + rng.below(4), gammas[rng.below(3)], rng.chance(0.5)};
        const std::size_t clauses = 1 + rng.below(6);
        const Numbers logits = random_logits(rng, composition.slots * clauses, 3);
        const Numbers weight_gradient = random_logits(rng, clauses, 1);
        SCOPED_TRACE(seed);
        expect_near(composition.compose_gradient(logits, clauses, weight_gradient),
                    differences(composition, logits, weight_gradient), 1e-6);
    }
}

TEST(Weights, AWeightThatIsCutOffStillLearns) {
    // Both slots choose clause 0, so that their OR is above 1.
    const Numbers logits = {4, 0, 0, 5, 1, 0};
    for (const bool leak_free : {true, false}) {
        const WeightComposition composition{2, 0.1, leak_free};
        ASSERT_GT(unclamped(composition, logits, 3)[0], 1.01);
        EXPECT_EQ(composition.compose(logits, 3)[0], 1.0);
        const Numbers gradient = composition.compose_gradient(logits, 3, Numbers{-1, 0, 0});
        expect_near(gradient, differences(composition, logits, {-1, 0, 0}), 1e-7);
        EXPECT_LT(gradient[0], -0.005);
        EXPECT_GT(gradient[1], 0.002);
    }
}

TEST(Weights, ExtremeLogits) {
    const Numbers logits = {1e3, -1e3, -1e3, -1e3, 1e3, -1e3};
    const Numbers weight_gradient = {1, 2, 3};
    // No slot chooses clause 2: nothing, or the paper's leak.
    const double leak = 0.01 * std::log(2.0);
    EXPECT_EQ((WeightComposition{2, 0.01, true}.compose(logits, 3)), (Numbers{1, 1, 0}));
    expect_near(WeightComposition{2, 0.01, false}.compose(logits, 3), {1, 1, leak}, 1e-15);
    for (const bool leak_free : {true, false}) {
        const WeightComposition composition{2, least_gamma, leak_free};
        EXPECT_EQ(composition.compose_gradient(logits, 3, weight_gradient), Numbers(6, 0.0)) << "nothing is left open";
        expect_near(composition.compose(Numbers(6, 1e3), 3), Numbers(3, 1.0 / 3 + least_gamma * std::log(2.0)), 1e-12);
    }
}

TEST(Weights, ASlotIsOneAndItsGradientsSumToZero) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Rng rng(seed);
        const std::size_t clauses = 1 + rng.below(20);
        const unsigned slots = 1 + rng.below(4);
        const Numbers logits = random_logits(rng, slots * clauses, 10);
        const Numbers one_slot(logits.begin(), logits.begin() + static_cast<std::ptrdiff_t>(clauses));
        const Numbers weights = WeightComposition{1, 0.01, true}.compose(one_slot, clauses);
        EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-12) << "seed " << seed;
        const WeightComposition composition{slots, 0.05, rng.chance(0.5)};
        const Numbers gradient = composition.compose_gradient(logits, clauses, random_logits(rng, clauses, 1));
        for (unsigned m = 0; m < slots; ++m) {
            const auto row = gradient.begin() + static_cast<std::ptrdiff_t>(m * clauses);
            EXPECT_NEAR(std::accumulate(row, row + static_cast<std::ptrdiff_t>(clauses), 0.0), 0, 1e-13)
                << "slot " << m << ", seed " << seed;
        }
    }
}

TEST(Weights, NoClausesNoWeights) {
    EXPECT_TRUE((WeightComposition{3, 0.01, true}.compose({}, 0).empty()));
    EXPECT_TRUE((WeightComposition{3, 0.01, true}.compose_gradient({}, 0, {}).empty()));
}

TEST(Weights, WrongCallsAreRefused) {
    const Numbers six(6, 0.0);
    EXPECT_THROW((WeightComposition{0, 0.01, true}.compose({}, 0)), ReasonError);
    EXPECT_THROW((WeightComposition{2, 0.01, true}.compose(six, 2)), ReasonError);
    EXPECT_THROW((WeightComposition{2, 0.0, true}.compose(six, 3)), ReasonError);
    EXPECT_THROW((WeightComposition{2, 0.01, true}.compose_gradient(six, 3, Numbers(2, 1.0))), ReasonError);
    Numbers broken = six;
    broken[4] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW((WeightComposition{2, 0.01, true}.compose(broken, 3)), ReasonError);
}

}  // namespace
}  // namespace neumann
