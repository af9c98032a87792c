// Learning depends on nothing but its input: not on threads, and not on being interrupted.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "learn/gradient/weight_learner.h"
#include "learn/task/learn_error.h"
#include "unit/learning_tasks.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

// To the bit, all the way.
void expect_the_same(const Task& one, const Task& other) {
    Journal none;
    Stopper one_watcher;
    Stopper other_watcher;
    const Learned a = learn(one, none, one_watcher);
    const Learned b = learn(other, none, other_watcher);
    EXPECT_EQ(a.text, b.text);
    EXPECT_EQ(a.soft_accuracy, b.soft_accuracy);
    EXPECT_EQ(a.search.candidates, b.search.candidates);
    EXPECT_EQ(one_watcher.scores, other_watcher.scores);
    EXPECT_EQ(one_watcher.losses, other_watcher.losses);
}

TEST(Resume, TheSameSeedLearnsTheSame) {
    for (Task task : {grandparent(), connected(), two_lessons(), noisy(200)}) {
        for (task.options.seed = 1; task.options.seed <= 2; ++task.options.seed) expect_the_same(task, task);
    }
}

TEST(Resume, ThreadsChangeNothing) {
    // Enough examples in a batch, and things in an image, for threads to be used.
    Task task = noisy(1000, 24);
    task.options.weights.batch = 1024;
    task.options.weights.epochs = 2;
    task.options.search.trials = 3;
    task.options.weights.restarts = 0;
    Task with_threads = task;
    with_threads.options.learning.threads = with_threads.options.reasoning.threads = 2;
    expect_the_same(task, with_threads);
}

// Stops at the first event, the second (or a later one), …, and resumes what was written.
void expect_resumable(Task task, std::size_t stride = 1) {
    task.options.weights.epochs = 3;
    Journal none;
    Stopper watcher;
    const Learned whole = learn(task, none, watcher);
    ASSERT_GT(watcher.events, 5U);
    const TemporaryFolder folder;
    bool finished = false;
    std::size_t interruptions = 0;
    for (std::size_t k = 1; !finished; k += stride) {
        SCOPED_TRACE(fmt::format("stopped at event {}", k));
        const std::filesystem::path file = folder.path() / fmt::format("run {}", k);
        Stopper stopper(k);
        Journal first(file, "the same");
        const Learned part = learn(task, first, stopper);
        finished = !stopper.stop;
        interruptions += part.interrupted ? 1 : 0;
        if (!part.interrupted) {
            EXPECT_EQ(clauses(part), clauses(whole));
        }
        Stopper again;
        Journal second(file, "the same");
        second.resume();
        const Learned resumed = learn(task, second, again);
        EXPECT_FALSE(resumed.interrupted);
        EXPECT_EQ(clauses(resumed), clauses(whole));
        EXPECT_EQ(resumed.text, whole.text);
        EXPECT_EQ(resumed.soft_accuracy, whole.soft_accuracy);
        EXPECT_EQ(resumed.errors, whole.errors);
        EXPECT_EQ(resumed.search.rounds, whole.search.rounds);
        EXPECT_EQ(again.scores, watcher.scores);
        EXPECT_EQ(again.losses, watcher.losses) << "the curve is told from its beginning";
    }
    EXPECT_GT(interruptions, 5U);
}

TEST(Resume, WhatIsInterruptedAnywhereAndResumedEndsAlike) {
    expect_resumable(grandparent());
    expect_resumable(two_lessons());
    expect_resumable(noisy(60), 5);
}

TEST(Resume, ARecursionThatIsInterruptedAnywhereAndResumedEndsAlike) { expect_resumable(connected()); }

TEST(Resume, WhatIsResumedIsNotComputedAgain) {
    const TemporaryFolder folder;
    const Task task = connected();
    Stopper watcher;
    Journal first(folder.path() / "run", "the same");
    const Learned whole = learn(task, first, watcher);
    EXPECT_FALSE(watcher.losses.empty()) << "there was something to weigh";
    // A journal that knows everything is not written to again.
    std::filesystem::permissions(folder.path() / "run", std::filesystem::perms::owner_read);
    const auto written = std::filesystem::last_write_time(folder.path() / "run");
    Journal second(folder.path() / "run", "the same");
    ASSERT_TRUE(second.resume());
    Stopper again;
    EXPECT_EQ(learn(task, second, again).text, whole.text);
    EXPECT_EQ(again.losses, watcher.losses);
    EXPECT_EQ(std::filesystem::last_write_time(folder.path() / "run"), written);
}

struct LearnedWeights {
    std::vector<double> weights;
    std::vector<std::uint32_t> discretised;
    double loss = 0;
    std::vector<double> losses;

    friend bool operator==(const LearnedWeights& a, const LearnedWeights& b) {
        return a.weights == b.weights && a.discretised == b.discretised && a.loss == b.loss && a.losses == b.losses;
    }
};

// Passes epochs on.
class Epochs : public EpochWatcher {
public:
    explicit Epochs(Stopper& stopper) : stopper_(stopper) {}
    void epoch_done(const EpochReport& report) override {
        LearnEpoch epoch;
        epoch.train_loss = report.train_loss;
        epoch.validation_loss = report.validation_loss;
        stopper_.epoch_done(epoch);
    }

private:
    Stopper& stopper_;
};

// Weights that are learned too fast: the best epoch is not the last.
TEST(Resume, WeightsAreThoseOfTheBestEpochToTheBit) {
    const Task task = noisy(60);
    LearningWorld world(task.program, task.train, task.validation);
    const std::vector<std::uint32_t> candidates = {world.add("good(X) :- in(A, X)."),
                                                   world.add("good(X) :- in(A, X), red(A)."),
                                                   world.add("good(X) :- in(A, X), in(B, X), touch(A, B)."),
                                                   world.add("good(X) :- in(A, X), in(B, X), red(A), touch(A, B).")};
    LearnerOptions options;
    options.learning.semantics = semantics_named("noisy-or");  // under which the best epoch is not the last
    options.weights.epochs = 12;
    options.weights.batch = 8;
    options.weights.optimiser.rate = 1;
    const auto learn_weights = [&](Journal& journal, std::size_t stop_at) -> std::optional<LearnedWeights> {
        Stopper watcher(stop_at);
        Epochs epochs(watcher);
        CandidateGraph graph(world.problem, candidates, world.asked, {options.learning, std::nullopt, &watcher.stop});
        WeightLearner learner(graph, {{2, {0, 1, 2, 3}}}, world.train, world.validation, options, journal, "test", 0,
                              &epochs);
        try {
            learner.run();
        } catch (const LearningInterrupted&) {
            return std::nullopt;
        }
        return LearnedWeights{learner.weights(), learner.discretised(), learner.validation_loss(), watcher.losses};
    };
    Journal none;
    const std::optional<LearnedWeights> whole = learn_weights(none, 0);
    ASSERT_TRUE(whole.has_value());
    ASSERT_NE(whole->losses.back(), whole->loss) << "the last epoch is the best one";
    const TemporaryFolder folder;
    for (std::size_t k = 1; k <= whole->losses.size() / 2; ++k) {
        const std::filesystem::path file = folder.path() / fmt::format("run {}", k);
        Journal first(file, "the same");
        const bool done = learn_weights(first, k).has_value();
        EXPECT_EQ(done, 2 * k == whole->losses.size());
        Journal second(file, "the same");
        ASSERT_TRUE(second.resume());
        EXPECT_TRUE(learn_weights(second, 0) == whole) << "stopped after epoch " << k;
    }
}

}  // namespace
}  // namespace neumann
