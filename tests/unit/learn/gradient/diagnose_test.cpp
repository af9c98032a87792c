// What stands in the way of a better program, and what does not.
#include <atomic>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ground/limit.h"
#include "learn/gradient/diagnose.h"
#include "learn/task/learn_error.h"
#include "unit/learning_tasks.h"

namespace neumann {
namespace {

const std::string things = R"(
:- type(thing, [it]).
:- neural(red(thing)).
:- neural(round(thing)).
:- pred(good(thing)).
:- pred(fine(thing)).
:- modeh(1, good(+thing)).
:- modeh(1, fine(+thing)).
:- modeb(1, red(+thing)).
:- modeb(1, round(+thing)).
)";

// What is red is good, and so is what is round.
WrittenExamples red_or_round(const std::string& predicate) {
    WrittenExamples examples;
    for (int i = 0; i < 8; ++i) {
        const bool red = (i & 1) != 0;
        const bool round = (i & 2) != 0;
        examples.push_back({{{"red(it)", red ? 1.0F : 0.0F}, {"round(it)", round ? 1.0F : 0.0F}},
                            {{predicate + "(it)", red || round}}});
    }
    return examples;
}

class Diagnose : public testing::Test {
protected:
    std::vector<std::string> what(const std::vector<std::uint32_t>& program) {
        std::vector<std::string> found;
        for (const Limitation& one : find_limitations({world_.problem,
                                                       language_,
                                                       world_.train,
                                                       world_.asked,
                                                       options_,
                                                       judge_,
                                                       program,
                                                       {1},
                                                       world_.train.target_count()},
                                                      nullptr))
            found.push_back(one.what);
        return found;
    }

    LearningWorld world_{things + ":- learn(good/1, 1).\n", red_or_round("good")};
    LearnerOptions options_ = quick();
    SearchLanguage language_{world_.problem.program().modes, options_.search.bounds};
    Judge judge_{world_.problem, world_.train, world_.train, world_.asked, {}, 1e-4};
};

TEST_F(Diagnose, NoDeclarationIsBlamedForWhatItAllows) {
    const Texts only_chance = {"chance"};
    EXPECT_EQ(what({world_.add("good(X) :- red(X), round(X).")}), only_chance);
}

TEST_F(Diagnose, TooFewClausesAreWhatIsInTheWay) {
    const Texts clauses = {"the number of clauses of good/1"};
    EXPECT_EQ(what({world_.add("good(X) :- red(X).")}), clauses);
}

TEST(LearnProgram, NoPredicateGetsMoreClausesThanItMay) {
    Task task;
    task.program = things + ":- modeb(1, good(+thing)).\n:- learn(good/1, 1).\n:- learn(fine/1, 1).\n";
    task.train = red_or_round("fine");
    task.options = quick();
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        task.options.seed = seed;
        std::size_t fine = 0;
        for (const std::string& clause : learn(task).texts) fine += clause.starts_with("fine(") ? 1 : 0;
        EXPECT_LE(fine, 1U) << seed;
    }
}

TEST(LearningProblem, AddsNothingOnceItIsStopped) {
    LearningWorld world(things + ":- learn(good/1, 1).\n", red_or_round("good"));
    const std::atomic<bool> stop{true};
    world.problem.interrupt_by(&stop);
    EXPECT_THROW(world.add("good(X) :- red(X)."), LearningInterrupted);
    world.problem.interrupt_by(nullptr);
    EXPECT_NE(world.add("good(X) :- red(X)."), LearningProblem::no_candidate);
}

// Instances of all candidates together are too many: what was found before stays.
TEST(LearnProgram, KeepsTheBestProgramWhenMemoryRunsOut) {
    Task task = grandparent();
    task.options.search.trials = 5;
    std::uint64_t limit = 1;
    bool kept = false;
    for (; limit < (std::uint64_t{1} << 24) && !kept; limit *= 2) {
        LoadedTask input = learning_input(task.program, task.train, task.validation);
        Diagnostics diagnostics;
        Journal journal;
        Stopper watcher;
        GroundOptions grounding;
        grounding.memory_limit = limit;
        try {
            const auto learned = learn_task(input, task.options, grounding, journal, watcher, diagnostics);
            kept = learned && learned->interrupted && !learned->clauses.empty();
            if (learned && !learned->interrupted) break;
        } catch (const GroundingLimit&) {
        }
    }
    EXPECT_TRUE(kept) << "with a limit of " << limit;
}

}  // namespace
}  // namespace neumann
