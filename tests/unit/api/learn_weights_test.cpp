#include <atomic>
#include <cmath>
#include <iostream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <neumann/neumann.h>

#include "base/rng.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

class LearnWeights : public ::testing::Test {
protected:
    LearnResult learn(const std::string& program, const std::string& examples, const LearnOptions& options = {},
                      const std::atomic<bool>* stop = nullptr, unsigned threads = 1) {
        LearningTask task;
        task.goal = LearnGoal::Weights;
        task.program = folder_.write("program.nm", program);
        task.train = folder_.write("examples.jsonl", examples).string();
        task.reading.threads = threads;
        return neumann::learn(task, options, nullptr, stop);
    }

    std::string error(const std::string& program, const std::string& examples) {
        try {
            learn(program, examples);
        } catch (const Error& error) {
            return error.what();
        }
        return "none";
    }

    TemporaryFolder folder_;
};

constexpr const char* two_rules = ":- neural(a(thing)).\n:- neural(b(thing)).\n:- type(thing, [x, y]).\n"
                                  "t(_)::p(X) :- a(X).\nt(_)::p(X) :- b(X).\n";

// Worlds in which p holds as often as the program with these weights says, by noisy-or or by the larger one.
std::string sampled_worlds(Rng& rng, std::size_t worlds, double first, double second, bool noisy_or) {
    std::string text;
    for (std::size_t w = 0; w < worlds; ++w) {
        std::string atoms;
        std::string targets;
        for (const char* thing : {"x", "y"}) {
            const bool a = rng.chance(0.5);
            const bool b = rng.chance(0.5);
            const double either = noisy_or ? 1 - (1 - first) * (1 - second) : std::max(first, second);
            const double value = a && b ? either : a ? first : b ? second : 0;
            atoms += fmt::format("{}\"a({})\": {}, \"b({})\": {}", atoms.empty() ? "" : ", ", thing, a ? 1 : 0, thing,
                                 b ? 1 : 0);
            targets += fmt::format("{}\"p({})\": {}", targets.empty() ? "" : ", ", thing, rng.chance(value) ? 1 : 0);
        }
        text += fmt::format("{{\"atoms\": {{{}}}, \"targets\": {{{}}}}}\n", atoms, targets);
    }
    return text;
}

TEST_F(LearnWeights, AreFoundAgainFromSampledWorlds) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        std::cout << "seed " << seed << "\n";
        for (const char* semantics : {"noisy-or", "exact", "clausewise", "softor", "max-product"}) {
            Rng rng(seed);
            LearnOptions options;
            options.seed = seed;
            options.semantics = semantics;
            const bool noisy_or = std::string(semantics) != "softor" && std::string(semantics) != "max-product";
            const LearnResult result = learn(two_rules, sampled_worlds(rng, 5000, 0.3, 0.8, noisy_or), options);
            ASSERT_EQ(result.clauses.size(), 2U) << semantics;
            EXPECT_NEAR(result.clauses[0].weight, 0.3, 0.03) << semantics;
            EXPECT_NEAR(result.clauses[1].weight, 0.8, 0.03) << semantics;
            EXPECT_TRUE(result.converged) << semantics;
            EXPECT_LE(result.different_examples, 16U);
            EXPECT_LT(result.train.loss, result.start_objective);
        }
    }
}

TEST_F(LearnWeights, AreTheShareOfRightLabelsWhateverTheBalance) {
    for (const int positives : {50, 500, 5000}) {
        std::string text;
        for (int i = 0; i < positives; ++i)
            text += fmt::format("{{\"atoms\": {{\"a(x)\": 1}}, \"targets\": {{\"p(x)\": {}}}}}\n", i % 10 == 0 ? 0 : 1);
        for (int i = 0; i < 500; ++i)
            text += fmt::format("{{\"atoms\": {{\"a(x)\": 0}}, \"targets\": {{\"p(x)\": {}}}}}\n", i % 10 == 0 ? 1 : 0);
        const LearnResult result = learn(":- neural(a(thing)).\n:- type(thing, [x]).\nt(_)::p(X) :- a(X).\n", text);
        EXPECT_NEAR(result.clauses[0].weight, 0.9, 0.003) << positives;
    }
}

TEST_F(LearnWeights, MayBeThoseOfFactsThatNobodySees) {
    const LearnResult result = learn("t(_)::rain.\nt(0.5)::wet :- rain.\n0.5::slow :- wet.\n",
                                     "{\"atoms\": {}, \"targets\": {\"rain\": 0.4, \"slow\": 0.1}}\n");
    EXPECT_NEAR(result.clauses[0].weight, 0.4, 0.002);
    EXPECT_NEAR(result.clauses[1].weight, 0.5, 0.005);  // 0.4 · 0.5 · 0.5
}

TEST_F(LearnWeights, MeetValuesByEitherLoss) {
    for (const WeightLossKind loss : {WeightLossKind::CrossEntropy, WeightLossKind::Squared}) {
        LearnOptions options;
        options.loss = loss;
        const LearnResult result = learn(
            two_rules, "{\"atoms\": {\"a(x)\": 0.5, \"b(y)\": 1}, \"targets\": {\"p(x)\": 0.35, \"p(y)\": 0.25}}\n",
            options);
        EXPECT_NEAR(result.clauses[0].weight, 0.7, 0.005);
        EXPECT_NEAR(result.clauses[1].weight, 0.25, 0.005);
        EXPECT_EQ(result.train.certain, 0U);
    }
}

TEST_F(LearnWeights, AreSharesOfClasses) {
    const std::string answers = "{\"atoms\": {}, \"answer\": \"red\"}\n{\"atoms\": {}, \"answer\": \"red\"}\n"
                                "{\"atoms\": {}, \"answer\": \"green\"}\n{\"atoms\": {}, \"answer\": \"blue\"}\n";
    const std::string disjunction = "t(_)::colour(red) ; t(_)::colour(green) ; t(_)::colour(blue).\n";
    LearnOptions exact;
    exact.semantics = "exact";
    const LearnResult result = learn(disjunction + ":- query(colour(X)).\n", answers, exact);
    ASSERT_EQ(result.clauses.size(), 3U);
    EXPECT_NEAR(result.clauses[0].weight, 0.5, 0.005);
    EXPECT_NEAR(result.clauses[1].weight, 0.25, 0.005);
    EXPECT_EQ(result.train.accuracy, 0.5);
    EXPECT_NEAR(result.train.loss, 1.5 * std::log(2.0), 0.001);  // the entropy of the answers

    // Declared to exclude each other: one that is so says that the others are not.
    const std::string targets = "{\"atoms\": {}, \"targets\": {\"colour(red)\": 1, \"colour(green)\": 0}}\n"
                                "{\"atoms\": {}, \"targets\": {\"colour(green)\": 1}}\n";
    const LearnResult exclusive =
        learn("t(_)::colour(red).\nt(_)::colour(green).\n:- exclusive(colour/1, 1).\n", targets);
    EXPECT_NEAR(exclusive.clauses[0].weight, 0.5, 0.005);
    EXPECT_NEAR(exclusive.clauses[1].weight, 0.5, 0.005);
    EXPECT_EQ(exclusive.train.labels, 2U);
}

TEST_F(LearnWeights, DoNotDependOnThreadsAndGoOnAfterAStop) {
    Rng rng(7);
    const std::string worlds = sampled_worlds(rng, 300, 0.3, 0.8, true);
    LearnOptions options;
    options.semantics = "noisy-or";
    const LearnResult one = learn(two_rules, worlds, options);
    const LearnResult three = learn(two_rules, worlds, options, nullptr, 3);
    EXPECT_EQ(one.program, three.program);
    EXPECT_NO_THROW(Model::parse(one.program));

    const std::atomic<bool> stop{true};
    const LearnResult stopped = learn(two_rules, worlds, options, &stop);
    EXPECT_TRUE(stopped.interrupted);
    EXPECT_NE(stopped.program.find("t(0."), std::string::npos);
    const LearnResult resumed = learn(stopped.program, worlds, options);
    EXPECT_NEAR(resumed.clauses[0].weight, one.clauses[0].weight, 1e-3);
}

TEST_F(LearnWeights, TakeInputsThatTheProgramDoesNotDeclare) {
    const LearnResult result =
        learn("t(_)::p(X) :- q(X).\nq(a).\n",
              "{\"atoms\": {\"q(a)\": 0, \"q(b)\": 1}, \"targets\": {\"p(b)\": 0.6, \"p(a)\": 0}}\n");
    EXPECT_NEAR(result.clauses[0].weight, 0.6, 0.005);
}

TEST_F(LearnWeights, SayWhatIsWrong) {
    const std::string rule = ":- neural(a(thing)).\n:- type(thing, [x]).\nt(_)::p(X) :- a(X).\n";
    EXPECT_NE(error("p :- q.\nq.\n", "{\"atoms\": {}, \"targets\": {\"p\": 1}}\n").find("no probability to learn"),
              std::string::npos);
    EXPECT_NE(error(rule, "{\"atoms\": {\"a(x)\": 1}}\n").find("examples.jsonl:1:"), std::string::npos);
    EXPECT_NE(error(rule, "{\"atoms\": {\"a(x)\": 1}, \"targets\": {\"p(x)\": 1.5}}\n").find("expected 0 or 1"),
              std::string::npos);
    EXPECT_NE(error(rule, "{\"atoms\": {\"a(x)\": 1}, \"label\": 1}\n").find("which atom the label is for"),
              std::string::npos);
    EXPECT_NE(error(rule, "{\"atoms\": {\"a(x)\": 1}, \"answer\": \"x\"}\n").find("what this answers"),
              std::string::npos);
    EXPECT_NE(error(rule, "").find("no examples"), std::string::npos);
}

}  // namespace
}  // namespace neumann
