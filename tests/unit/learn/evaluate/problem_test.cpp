// What a candidate is grounded as.
#include <string>

#include <gtest/gtest.h>

#include "unit/learning_world.h"

namespace neumann {
namespace {

constexpr const char* neighbours = R"(
:- type(thing, [a, b, c]).
:- pred(near(thing, thing)).
:- pred(good(thing)).
:- modeh(1, good(+thing)).
:- modeb(2, near(+thing, -thing)).
:- learn(good/1, 1).
)";

WrittenExamples near_things() {
    return {{{{"near(a,b)", 0.5F}, {"near(a,c)", 0.4F}}, {{"good(a)", true}}},
            {{{"near(b,c)", 0.1F}}, {{"good(b)", false}}}};
}

constexpr const char* once = "good(X) :- near(X, Y).";
constexpr const char* twice = "good(X) :- near(X, Y), near(X, Z).";  // says nothing more

TEST(LearningProblem, WhereInstancesCompeteAClauseIsGroundedAsItsReduct) {
    LearningWorld world(neighbours, near_things(), {}, "clausewise");
    const std::uint32_t shorter = world.add(once);
    const std::uint32_t longer = world.add(twice);
    EXPECT_NE(shorter, longer);
    EXPECT_EQ(world.problem.candidate(shorter).instances, world.problem.candidate(longer).instances) << "shared";
    EXPECT_EQ(world.problem.candidate(shorter).size, world.problem.candidate(longer).size);
}

// Where they add up, every instance counts: y, z = (b,b), (b,c), (c,b), (c,c) are three different bodies.
TEST(LearningProblem, WhereInstancesAddUpEachOfThemIsGrounded) {
    LearningWorld world(neighbours, near_things(), {}, "noisy-or");
    const std::uint32_t shorter = world.add(once);
    const std::uint32_t longer = world.add(twice);
    EXPECT_EQ(world.problem.candidate(shorter).instances->count(), 3U);
    EXPECT_GT(world.problem.candidate(longer).instances->count(), 3U);
    EXPECT_GT(world.problem.candidate(longer).size, world.problem.candidate(shorter).size);
}

}  // namespace
}  // namespace neumann
