#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "learn/evaluate/judge.h"
#include "learn/task/learn_error.h"
#include "unit/learning_world.h"

namespace neumann {
namespace {

using Clauses = std::vector<std::uint32_t>;

const std::string things = R"(
:- type(thing, [it]).
:- neural(red(thing)).
:- neural(round(thing)).
:- neural(big(thing)).
:- pred(good(thing)).
:- pred(fine(thing)).
:- modeh(1, good(+thing)).
:- modeb(1, red(+thing)).
:- modeb(1, round(+thing)).
:- modeb(1, big(+thing)).
:- learn(good/1, 2).
:- learn(fine/1, 1).
)";

// What is red is good, and what is round and big.
WrittenExample thing(bool red, bool round, bool big) {
    return {{{"red(it)", red ? 0.9F : 0.1F}, {"round(it)", round ? 0.9F : 0.1F}, {"big(it)", big ? 0.9F : 0.1F}},
            {{"good(it)", red || (round && big)}}};
}
WrittenExamples all_things() {
    WrittenExamples examples;
    for (int i = 0; i < 8; ++i) examples.push_back(thing((i & 1) != 0, (i & 2) != 0, (i & 4) != 0));
    return examples;
}

class JudgeTest : public testing::Test {
protected:
    LearningWorld world_{things, all_things(), {thing(true, false, false), thing(false, true, true)}};
    Judge judge_{world_.problem, world_.train, world_.train, world_.asked, {}, 1e-4};
    Judge with_validation_{world_.problem, world_.train, world_.validation, world_.asked, {}, 1e-4};

    std::uint32_t all_ = world_.add("good(X).");
    std::uint32_t red_ = world_.add("good(X) :- red(X).");
    std::uint32_t round_ = world_.add("good(X) :- round(X).");
    std::uint32_t both_ = world_.add("good(X) :- round(X), big(X).");
    std::uint32_t idle_ = world_.add("good(X) :- red(X), big(X).");
    std::uint32_t fine_ = world_.add("fine(X) :- red(X).");
    Clauses at_hand_ = {all_, round_, idle_, both_, red_, fine_};
    Clauses slots_ = {2, 1};

    static Clauses sorted(Clauses clauses) {
        std::ranges::sort(clauses);
        return clauses;
    }
};

TEST_F(JudgeTest, CountsErrors) {
    const Verdict right = judge_({red_, both_});
    EXPECT_EQ(right.errors, 0U);
    EXPECT_EQ(right.false_alarms, 0U);
    EXPECT_EQ(right.train_accuracy, 1);
    const Verdict nothing = judge_({});
    EXPECT_EQ(nothing.errors, 5U);
    EXPECT_EQ(nothing.false_alarms, 0U);
    EXPECT_DOUBLE_EQ(nothing.train_accuracy, 3.0 / 8);
    const Verdict all = judge_({all_});
    EXPECT_EQ(all.errors, 3U);
    EXPECT_EQ(all.false_alarms, 3U);
    // Round and nothing else, against red without round and big: one and two.
    const Verdict some = judge_({round_});
    EXPECT_EQ(some.errors, 3U);
    EXPECT_EQ(some.false_alarms, 1U);
}

TEST_F(JudgeTest, CountsErrorsOfBothSets) {
    const Verdict verdict = with_validation_({red_});
    EXPECT_DOUBLE_EQ(verdict.train_accuracy, 7.0 / 8);
    EXPECT_DOUBLE_EQ(verdict.validation_accuracy, 0.5);
    EXPECT_EQ(verdict.errors, 2U);
    EXPECT_EQ(judge_({red_}).errors, 1U) << "validation that is the training is not counted twice";
    EXPECT_DOUBLE_EQ(judge_({red_}).validation_accuracy, 7.0 / 8);
}

TEST_F(JudgeTest, CostsAreWhatItTakesToSayWhatIsWrongAndToWriteTheProgram) {
    const double per_symbol = 0.5 * std::log(8.0);
    EXPECT_NEAR(judge_({red_, both_}).cost, per_symbol * (2 + 3), 1e-12);
    const double one_in_eight = -std::log(1.0 / 8) - 7 * std::log(7.0 / 8);
    EXPECT_NEAR(judge_({red_}).cost, one_in_eight + 2 * per_symbol, 1e-12);
    EXPECT_NEAR(judge_({all_}).cost, -3 * std::log(3.0 / 8) - 5 * std::log(5.0 / 8) + per_symbol, 1e-12);
    EXPECT_NEAR(judge_({}).cost, 8 * std::log(2), 1e-12) << "more than half of the labels wrong is no information";
    const double one_in_five = -2 * std::log(0.2) - 8 * std::log(0.8);
    EXPECT_NEAR(with_validation_({red_}).cost, one_in_five + 2 * 0.5 * std::log(10.0), 1e-12) << "ten labels";
}

TEST_F(JudgeTest, ARightProgramBeatsAShorterOneThatIsWrong) {
    const Verdict right = judge_({red_, both_});
    EXPECT_LT(judge_({red_}).cost, right.cost) << "eight labels cannot pay for another clause";
    for (const Clauses& wrong : {Clauses{}, Clauses{all_}, Clauses{red_}, Clauses{both_}}) {
        EXPECT_TRUE(right.better_than(judge_(wrong)));
        EXPECT_FALSE(judge_(wrong).better_than(right));
    }
    EXPECT_TRUE(right.better_than(judge_({red_, both_, idle_}))) << "of two right ones the shorter is better";
    EXPECT_FALSE(right.better_than(right));
    EXPECT_TRUE(judge_({red_}).better_than(judge_({round_})));
}

TEST_F(JudgeTest, TheOrderOfClausesIsOfNoConsequence) {
    const Verdict one = judge_({red_, both_, round_});
    const Verdict other = judge_({round_, red_, both_});
    EXPECT_EQ(one.cost, other.cost);
    EXPECT_EQ(one.loss, other.loss);
    EXPECT_TRUE(judge_.is_right({both_, red_}));
    EXPECT_FALSE(judge_.is_right({both_}));
}

TEST_F(JudgeTest, ValuesAreThoseOfTheTargets) {
    const std::vector<float> values = judge_.values({red_}, std::vector{1.0}, world_.train);
    ASSERT_EQ(values.size(), 8U);
    for (std::size_t t = 0; t < 8; ++t) EXPECT_NEAR(values[t], t % 2 == 1 ? 0.9F : 0.1F, 1e-6F);
}

TEST_F(JudgeTest, IdleClausesAreDropped) {
    EXPECT_EQ(sorted(judge_.without_idle_clauses({idle_, red_, both_})), sorted({red_, both_}));
    EXPECT_EQ(sorted(judge_.without_idle_clauses({red_, both_, fine_})), sorted({red_, both_})) << "nobody asks for it";
    EXPECT_EQ(judge_.without_idle_clauses({red_, both_}).size(), 2U);
    EXPECT_EQ(judge_.without_idle_clauses({round_}), Clauses{round_}) << "one clause is left, however bad";
}

TEST_F(JudgeTest, ImprovingFindsTheMissingClause) {
    EXPECT_EQ(sorted(judge_.improve({red_}, at_hand_, slots_)), sorted({red_, both_}));
    EXPECT_EQ(sorted(judge_.improve({both_}, at_hand_, slots_)), sorted({red_, both_}));
}

TEST_F(JudgeTest, ImprovingExchangesAndDropsClauses) {
    EXPECT_EQ(sorted(judge_.improve({red_, round_}, at_hand_, slots_)), sorted({red_, both_}));
    EXPECT_EQ(sorted(judge_.improve({idle_, round_}, at_hand_, slots_)), sorted({red_, both_}));
    EXPECT_EQ(sorted(judge_.improve({all_}, at_hand_, slots_)), sorted({red_, both_}));
}

TEST_F(JudgeTest, ImprovingKeepsToTheSlots) {
    EXPECT_EQ(judge_.improve({round_}, at_hand_, Clauses{1, 1}), Clauses{red_});
    const Clauses none = judge_.improve({}, at_hand_, Clauses{0, 0});
    EXPECT_TRUE(none.empty());
}

TEST_F(JudgeTest, WhatIsRightIsLeftAloneUnlessItIsToBeShorter) {
    const Clauses longer = {red_, both_, idle_};
    EXPECT_EQ(judge_.improve(longer, at_hand_, slots_), longer);
    EXPECT_EQ(sorted(judge_.improve(longer, at_hand_, slots_, true)), sorted({red_, both_}));
    const Clauses roundabout = {idle_, world_.add("good(X) :- red(X), round(X)."), both_, red_};
    EXPECT_EQ(sorted(judge_.improve(roundabout, at_hand_, slots_, true)), sorted({red_, both_}));
}

TEST_F(JudgeTest, IsInterrupted) {
    std::atomic<bool> stop{true};
    judge_.interrupt_by(&stop);
    EXPECT_THROW(judge_({red_}), LearningInterrupted);
    EXPECT_THROW(judge_.improve({red_}, at_hand_, slots_), LearningInterrupted);
    stop = false;
    EXPECT_EQ(judge_({red_}).errors, 1U) << "an interruption is no verdict";
    stop = true;
    EXPECT_EQ(judge_({red_}).errors, 1U) << "what is known is known";
    judge_.interrupt_by(nullptr);
    EXPECT_EQ(judge_({both_}).errors, 3U);
}

}  // namespace
}  // namespace neumann
