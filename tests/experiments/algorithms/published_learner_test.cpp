// The published learning algorithms on tiny tasks: what they learn, and that nothing but the seed decides it.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "learn/task/learn_error.h"
#include "unit/learning_tasks.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

const Texts published = {"neumann", "neumann-code", "dilp-st", "alpha-ilp", "dilp"};

Task with(Task task, const std::string& algorithm) {
    task.options.algorithm = algorithm;
    task.options.learning.semantics = semantics_named("paper");
    task.options.learning.steps = 4;
    return task;
}

// What is red is good.
Task red_is_good() {
    Task task;
    task.program = R"(
:- type(thing, [it]).
:- neural(red(thing)).
:- neural(round(thing)).
:- pred(good(thing)).
:- modeh(1, good(+thing)).
:- modeb(1, red(+thing)).
:- modeb(1, round(+thing)).
:- learn(good/1, 1).
:- initial((good(X) :- red(X))).
:- initial((good(X) :- round(X))).
)";
    for (int i = 0; i < 8; ++i) {
        const bool red = i % 2 == 1;
        const bool round = i / 2 % 2 == 1;
        task.train.push_back(
            {{{"red(it)", red ? 0.875F : 0.125F}, {"round(it)", round ? 0.875F : 0.125F}}, {{"good(it)", red}}});
    }
    task.options = quick();
    task.options.weights.epochs = 60;
    task.options.weights.batch = 4;
    task.options.weights.optimiser.rate = 0.05;
    return task;
}

TEST(PublishedLearner, EveryAlgorithmLearnsThatWhatIsRedIsGood) {
    for (const std::string& algorithm : published) {
        SCOPED_TRACE(algorithm);
        Task task = with(red_is_good(), algorithm);
        task.options.learning.steps = 1;  // every further one of ∂ILP adds what the first one has added
        const Learned learned = learn(task);
        EXPECT_EQ(clauses(learned), Texts{"good(X) :- red(X)."});
        EXPECT_EQ(learned.errors, 0U);
    }
}

TEST(PublishedLearner, TheLeakFreeSoftOrLearnsItToo) {
    Task task = with(red_is_good(), "neumann");
    task.options.learning.semantics = semantics_named("softor");
    EXPECT_EQ(clauses(learn(task)), Texts{"good(X) :- red(X)."});
    task.options.search.kind = SearchKind::Beam;
    EXPECT_EQ(clauses(learn(task)), Texts{"good(X) :- red(X)."});
}

// To the bit, all the way.
void expect_alike(const Task& one, const Task& other) {
    Journal none;
    Stopper one_watcher;
    Stopper other_watcher;
    EXPECT_EQ(learn(one, none, one_watcher).text, learn(other, none, other_watcher).text);
    EXPECT_EQ(one_watcher.scores, other_watcher.scores);
    EXPECT_EQ(one_watcher.losses, other_watcher.losses);
    EXPECT_FALSE(one_watcher.losses.empty());
}

TEST(PublishedLearner, OnlyTheSeedDecides) {
    for (const std::string& algorithm : published) {
        SCOPED_TRACE(algorithm);
        Task task = with(connected(), algorithm);
        task.options.weights.epochs = 3;
        task.options.search.trials = 2;
        Task with_threads = task;
        with_threads.options.learning.threads = with_threads.options.reasoning.threads = 3;
        expect_alike(task, with_threads);
    }
}

TEST(PublishedLearner, ItRunsAllEpochsOfOneStart) {
    for (const std::string& algorithm : published) {
        SCOPED_TRACE(algorithm);
        Task task = with(red_is_good(), algorithm);
        task.options.weights.patience = 1;
        task.options.weights.restarts = 5;
        Journal none;
        Stopper watcher;
        learn(task, none, watcher);
        EXPECT_EQ(watcher.losses.size(), 2 * task.options.weights.epochs);
    }
}

TEST(PublishedLearner, WhatIsInterruptedAndResumedEndsAlike) {
    for (const std::string& algorithm : published) {
        SCOPED_TRACE(algorithm);
        Task task = with(connected(), algorithm);
        task.options.weights.epochs = 3;
        task.options.search.trials = 2;
        const Learned whole = learn(task);
        const TemporaryFolder folder;
        Stopper stopper(4);
        Journal first(folder.path() / "run", "the same");
        EXPECT_TRUE(learn(task, first, stopper).interrupted);
        Journal second(folder.path() / "run", "the same");
        ASSERT_TRUE(second.resume());
        Stopper again;
        const Learned resumed = learn(task, second, again);
        EXPECT_FALSE(resumed.interrupted);
        EXPECT_EQ(resumed.text, whole.text);
    }
}

// ∂ILP: a base and a recursive clause as a pair.
TEST(PublishedLearner, TemplatesFindTheTransitiveClosure) {
    Task task = with(connected(), "dilp");
    task.options.weights.epochs = 150;
    task.options.weights.optimiser.rate = 0.1;
    const Learned learned = learn(task);
    EXPECT_EQ(learned.errors, 0U) << learned.text;
    EXPECT_EQ(learned.clauses.size(), 2U);
}

TEST(PublishedLearner, TemplatesHaveTwoClausesAndNoConstants) {
    Task three = with(connected(), "dilp");
    three.options.program_size = 3;
    EXPECT_THROW(learn(three), LearnError);
    Task constants = with(red_is_good(), "dilp");
    constants.program = R"(
:- type(thing, [it]).
:- type(color, [red, blue]).
:- neural(color(thing, color)).
:- pred(good(thing)).
:- modeh(1, good(+thing)).
:- modeb(1, color(+thing, #color)).
:- learn(good/1, 1).
)";
    constants.train = {{{{"color(it,red)", 1.0F}}, {{"good(it)", true}}}, {{}, {{"good(it)", false}}}};
    EXPECT_THROW(learn(constants), LearnError);
}

TEST(LearnAlgorithms, HaveNames) {
    for (const LearnAlgorithmInfo& one : learn_algorithms()) {
        EXPECT_EQ(find_algorithm(one.name), &one);
    }
    EXPECT_EQ(find_algorithm("hope"), nullptr);
}

}  // namespace
}  // namespace neumann
