#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "learn/evaluate/dataset.h"
#include "unit/learning_world.h"

namespace neumann {
namespace {

using Weights = std::vector<double>;
using Values = std::vector<float>;

const std::string things = R"(
:- type(thing, [a, b, c, d]).
:- neural(red(thing)).
:- neural(round(thing)).
:- pred(big(thing)).
:- pred(good(thing)).
:- modeh(1, good(+thing)).
:- modeb(1, red(+thing)).
:- learn(good/1, 1).
)";

// One target per example.
LearningWorld world_of(const std::vector<bool>& labels) {
    WrittenExamples examples;
    for (const bool label : labels) examples.push_back({{{"red(a)", 1.0F}}, {{"good(a)", label}}});
    return LearningWorld(things, examples);
}

TEST(Dataset, IsInTheNumbersOfTheProblem) {
    LearningWorld world(things, {{{{"red(a)", 0.25F}, {"round(b)", 0.5F}}, {{"good(a)", true}, {"good(b)", false}}},
                                 {{}, {{"good(c)", false}}},
                                 {{{"red(d)", 0.0F}}, {{"good(d)", true}, {"big(a)", true}}}});
    const Dataset& data = world.train;
    ASSERT_EQ(data.size(), 3U);
    ASSERT_EQ(data.target_count(), 5U);
    EXPECT_EQ(data.positives(), 3U);
    EXPECT_EQ(data.first_target(0), 0U);
    EXPECT_EQ(data.end_target(0), 2U);
    EXPECT_EQ(data.first_target(1), 2U);
    EXPECT_EQ(data.end_target(2), 5U);
    ASSERT_EQ(data.inputs(0).size(), 2U);
    EXPECT_EQ(data.inputs(0)[0].atom, world.atom("red(a)"));
    EXPECT_EQ(data.inputs(0)[0].value, 0.25F);
    EXPECT_EQ(data.inputs(0)[1].atom, world.atom("round(b)"));
    EXPECT_TRUE(data.inputs(1).empty());
    EXPECT_TRUE(data.inputs(2).empty()) << "what is 0 everywhere is no atom of the graph";
    EXPECT_EQ(data.target(1).atom, world.atom("good(b)"));
    EXPECT_FALSE(data.target(1).positive);
    EXPECT_NE(data.target(3).atom, LearningProblem::no_atom_number) << "a learned predicate may hold of anything";
    EXPECT_EQ(data.target(4).atom, LearningProblem::no_atom_number) << "nothing makes it big";
}

TEST(BalancedWeights, BothSidesCountOneHalf) {
    const LearningWorld world = world_of({true, false, false, false, true, false});
    const Weights weights = balanced_weights(world.train);
    EXPECT_EQ(weights, (Weights{0.25, 0.125, 0.125, 0.125, 0.25, 0.125}));
}

TEST(BalancedWeights, WithOneSideOnlyItCountsAll) {
    EXPECT_EQ(balanced_weights(world_of({true, true}).train), (Weights{0.5, 0.5}));
    EXPECT_EQ(balanced_weights(world_of({false, false, false, false}).train), (Weights{0.25, 0.25, 0.25, 0.25}));
    EXPECT_TRUE(balanced_weights(world_of({}).train).empty());
}

TEST(BalancedWeights, AShareOfTheNegativesCountsThatMuchLess) {
    const LearningWorld world = world_of({false, true, false, false, false});
    EXPECT_EQ(balanced_weights(world.train, 0.5), (Weights{0.125, 0.5, 0.125, 0, 0}));
    EXPECT_EQ(balanced_weights(world.train, 0.3), (Weights{0.125, 0.5, 0.125, 0, 0})) << "rounded up";
    EXPECT_EQ(balanced_weights(world.train, 0), (Weights{0, 0.5, 0, 0, 0}));
    EXPECT_EQ(balanced_weights(world.train, 7), (Weights{0.125, 0.5, 0.125, 0.125, 0.125}));
}

TEST(BalancedWeights, TheFirstNegativesInOrderTakePart) {
    const LearningWorld world = world_of({false, true, false, false, false});
    const std::vector<std::uint32_t> order = {4, 1, 2, 0, 3};
    EXPECT_EQ(balanced_weights(world.train, 0.25, order), (Weights{0, 0.5, 0, 0, 0.125}));
    EXPECT_EQ(balanced_weights(world.train, 0.75, order), (Weights{0.125, 0.5, 0.125, 0, 0.125}));
    // More of them, never others.
    for (double share = 0; share <= 1; share += 0.125) {
        const Weights fewer = balanced_weights(world.train, share, order);
        const Weights more = balanced_weights(world.train, share + 0.125, order);
        for (std::size_t t = 0; t < fewer.size(); ++t) EXPECT_GE(more[t], fewer[t]);
    }
}

TEST(Accuracy, IsTheShareOnTheRightSide) {
    const LearningWorld world = world_of({true, true, false, false});
    const Values values = {0.5F, 0.25F, 0.75F, 0.0F};
    EXPECT_DOUBLE_EQ(accuracy(world.train, values), 0.5) << "at the threshold is above it";
    EXPECT_DOUBLE_EQ(accuracy(world.train, values, 0.25), 0.75);
    EXPECT_DOUBLE_EQ(accuracy(world.train, values, 0), 0.5);
    EXPECT_DOUBLE_EQ(accuracy(world.train, values, 1), 0.5);
    EXPECT_EQ(accuracy(world_of({}).train, {}), 0);
}

TEST(CrossEntropy, IsThatOfWhatIsMovedAwayFromTheEnds) {
    const CrossEntropy loss{0.1};
    EXPECT_DOUBLE_EQ(loss.loss(1, true), -std::log(0.9));
    EXPECT_DOUBLE_EQ(loss.loss(0, true), -std::log(0.1));
    EXPECT_DOUBLE_EQ(loss.loss(1, false), -std::log(0.1));
    EXPECT_DOUBLE_EQ(loss.loss(0, false), -std::log(0.9));
    EXPECT_DOUBLE_EQ(loss.loss(0.5, true), std::log(2));
    EXPECT_DOUBLE_EQ(CrossEntropy{0}.loss(0.25, true), std::log(4));
}

TEST(CrossEntropy, TheSlopeIsTheDerivative) {
    constexpr double h = 1e-6;
    for (const double floor : {0.1, 1e-2, 1e-4}) {
        const CrossEntropy loss{floor};
        for (const double p : {0.0, 0.01, 0.3, 0.5, 0.99, 1.0}) {
            for (const bool positive : {true, false}) {
                // From the inside, where [0,1] ends.
                const double low = std::max(0.0, p - h);
                const double high = std::min(1.0, p + h);
                const double difference = (loss.loss(high, positive) - loss.loss(low, positive)) / (high - low);
                EXPECT_NEAR(loss.slope(p, positive) / difference, 1, 1e-2) << floor << " " << p << " " << positive;
                EXPECT_EQ(loss.slope(p, positive) < 0, positive);
            }
        }
    }
}

TEST(MeanLoss, WeighsTargets) {
    const LearningWorld world = world_of({true, false, true});
    const CrossEntropy loss{0.01};
    const Values values = {0.75F, 0.5F, 0.25F};
    const double expected = (2 * loss.loss(0.75, true) + 6 * loss.loss(0.5, false)) / 8;
    EXPECT_DOUBLE_EQ(mean_loss(world.train, values, Weights{2, 6, 0}, loss), expected);
    EXPECT_EQ(mean_loss(world.train, values, Weights{0, 0, 0}, loss), 0);
}

}  // namespace
}  // namespace neumann
