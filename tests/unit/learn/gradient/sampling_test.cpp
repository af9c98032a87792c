#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random_draws.h"
#include "learn/gradient/sampling.h"

namespace neumann {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr std::uint64_t seed = 20240917;
constexpr int draws = 20000;
// What a sum of so many squares exceeds once in a thousand seeds.
constexpr double chi_square_3 = 16.3;
constexpr double chi_square_11 = 31.3;
constexpr double chi_square_15 = 37.7;

std::vector<double> softmax(const std::vector<double>& scores) {
    std::vector<double> result;
    for (const double score : scores) result.push_back(std::exp(score));
    const double sum = std::accumulate(result.begin(), result.end(), 0.0);
    for (double& p : result) p /= sum;
    return result;
}

// Σ (seen − expected)²/expected over all outcomes that the law allows.
double chi_square(const std::function<Numbers(Rng&)>& draw, const std::map<Numbers, double>& law) {
    std::cout << "seed " << seed << std::endl;
    Rng rng(seed);
    std::map<Numbers, int> seen;
    for (int i = 0; i < draws; ++i) ++seen[draw(rng)];
    double sum = 0;
    for (const auto& [outcome, probability] : law) {
        const double expected = draws * probability;
        sum += (seen[outcome] - expected) * (seen[outcome] - expected) / expected;
    }
    for (const auto& [outcome, count] : seen) EXPECT_TRUE(law.contains(outcome)) << count << " times";
    return sum;
}

const std::vector<double> scores = {0.0, 1.0, 2.0, -1.0};

TEST(GumbelSample, TheFirstIsDrawnBySoftmax) {
    const std::vector<double> p = softmax(scores);
    std::map<Numbers, double> law;
    for (std::uint32_t i = 0; i < 4; ++i) law[{i}] = p[i];
    EXPECT_LT(chi_square([](Rng& rng) { return gumbel_sample(scores, {}, 1, false, rng); }, law), chi_square_3);
    EXPECT_LT(chi_square([](Rng& rng) { return gumbel_sample(scores, {}, 1, true, rng); }, law), chi_square_3);
}

TEST(GumbelSample, TheSecondIsDrawnFromWhatIsLeft) {
    const std::vector<double> p = softmax(scores);
    std::map<Numbers, double> law;
    for (std::uint32_t i = 0; i < 4; ++i) {
        for (std::uint32_t j = 0; j < 4; ++j) {
            if (i != j) law[{i, j}] = p[i] * p[j] / (1 - p[i]);
        }
    }
    EXPECT_LT(chi_square([](Rng& rng) { return gumbel_sample(scores, {}, 2, false, rng); }, law), chi_square_11);
}

TEST(GumbelSample, WithReplacementDrawsAreIndependent) {
    const std::vector<double> p = softmax(scores);
    std::map<Numbers, double> law;
    for (std::uint32_t i = 0; i < 4; ++i) {
        for (std::uint32_t j = 0; j < 4; ++j) law[{i, j}] = p[i] * p[j];
    }
    EXPECT_LT(chi_square([](Rng& rng) { return gumbel_sample(scores, {}, 2, true, rng); }, law), chi_square_15);
}

TEST(GumbelSample, WithReplacementThereMayBeMoreThanThereAre) {
    Rng rng(seed);
    const Numbers drawn = gumbel_sample(scores, {}, 50, true, rng);
    EXPECT_EQ(drawn.size(), 50U);
    EXPECT_LE(std::ranges::max(drawn), 3U);
}

TEST(GumbelSample, WithoutReplacementNoneComesTwice) {
    Rng rng(seed);
    std::vector<double> many(40);
    for (double& score : many) score = 30 * rng.uniform();
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{17}, std::size_t{40}}) {
        const Numbers drawn = gumbel_sample(many, {}, count, false, rng);
        EXPECT_EQ(drawn.size(), count);
        EXPECT_EQ(std::set(drawn.begin(), drawn.end()).size(), count);
    }
    EXPECT_EQ(gumbel_sample(many, {}, 41, false, rng).size(), 40U) << "there are no more";
    EXPECT_TRUE(gumbel_sample({}, {}, 3, false, rng).empty());
    EXPECT_TRUE(gumbel_sample({}, {}, 3, true, rng).empty());
}

TEST(GumbelSample, EqualScoresAreAllReachable) {
    const std::vector<double> equal(4, 7.5);
    std::map<Numbers, double> law;
    for (std::uint32_t i = 0; i < 4; ++i) law[{i}] = 0.25;
    EXPECT_LT(chi_square([&](Rng& rng) { return gumbel_sample(equal, {}, 1, false, rng); }, law), chi_square_3);
}

TEST(GumbelSample, AScoreFarAboveTheOthersIsDrawnFirst) {
    Rng rng(seed);
    const std::vector<double> clear = {0, 1000, 500};
    EXPECT_EQ(gumbel_sample(clear, {}, 3, false, rng), (Numbers{1, 2, 0}));
}

TEST(GumbelSample, OfAGroupOnlyOneIsDrawnBeforeEveryGroupHasHadItsTurn) {
    Rng rng(seed);
    // By score alone the first group would come first.
    const std::vector<double> high = {100, 101, 102, 50, 0, 51};
    const Numbers group = {7, 7, 7, 3, 9, 3};
    for (int i = 0; i < 200; ++i) {
        const Numbers drawn = gumbel_sample(high, group, 6, false, rng);
        EXPECT_EQ(std::set(drawn.begin(), drawn.end()).size(), 6U);
        std::set<std::uint32_t> groups;
        for (std::size_t d = 0; d < 3; ++d) groups.insert(group[drawn[d]]);
        EXPECT_EQ(groups.size(), 3U);
        // What is left comes by score again.
        EXPECT_LE(drawn[3], 2U);
        EXPECT_LE(drawn[4], 2U);
        const Numbers few = gumbel_sample(high, group, 2, false, rng);
        EXPECT_NE(group[few[0]], group[few[1]]);
    }
}

TEST(GumbelSample, GroupsDoNotChangeWhoIsFirst) {
    const Numbers group = {0, 0, 1, 1};
    const std::vector<double> p = softmax(scores);
    std::map<Numbers, double> law;
    for (std::uint32_t i = 0; i < 4; ++i) law[{i}] = p[i];
    EXPECT_LT(chi_square([&](Rng& rng) { return gumbel_sample(scores, group, 1, false, rng); }, law), chi_square_3);
}

TEST(GumbelSample, TheSameSeedDrawsTheSame) {
    Rng one(seed);
    Rng other(seed);
    EXPECT_EQ(gumbel_sample(scores, {}, 4, false, one), gumbel_sample(scores, {}, 4, false, other));
    EXPECT_EQ(one.state(), other.state());
}

TEST(BestFirst, TheEarlierOfEqualsComesFirst) {
    const std::vector<double> some = {1, 3, 2, 3, 1, 3};
    EXPECT_EQ(best_first(some, 6), (Numbers{1, 3, 5, 2, 0, 4}));
    EXPECT_EQ(best_first(some, 2), (Numbers{1, 3}));
    EXPECT_EQ(best_first(some, 9), (Numbers{1, 3, 5, 2, 0, 4}));
    EXPECT_TRUE(best_first(some, 0).empty());
    EXPECT_TRUE(best_first({}, 3).empty());
}

TEST(NamedRng, EveryPurposeAndSeedHasItsOwn) {
    std::set<std::uint64_t> first;
    const std::vector<std::string> purposes = {"", "a", "b", "ab", "ba", "lesson 0/start 0", "lesson 0/start 1"};
    for (std::uint64_t s = 0; s < 20; ++s) {
        for (const std::string& purpose : purposes) first.insert(named_rng(s, purpose).next());
    }
    EXPECT_EQ(first.size(), 20 * purposes.size());
    EXPECT_EQ(named_rng(5, "weights").next(), named_rng(5, "weights").next());
}

TEST(Shuffle, ReachesEveryOrderEquallyOften) {
    std::map<Numbers, double> law;
    Numbers order = {0, 1, 2};
    do law[order] = 1.0 / 6;
    while (std::ranges::next_permutation(order).found);
    const auto draw = [](Rng& rng) {
        Numbers items = {0, 1, 2};
        shuffle_in_place(items, rng);
        return items;
    };
    EXPECT_LT(chi_square(draw, law), 20.5);  // five degrees of freedom
    Numbers none;
    Rng rng(seed);
    shuffle_in_place(none, rng);
    EXPECT_EQ(rng.state(), seed);
}

}  // namespace
}  // namespace neumann
