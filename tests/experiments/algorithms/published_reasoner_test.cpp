// The reasoners of publications: against the semantics of the same name where there is one, and against numbers.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/tape_reasoner.h"
#include "unit/learning_tasks.h"

namespace neumann {
namespace {

constexpr const char* even_program = R"(
:- type(number, [0]).
:- functor(s(number), number).
:- max_depth(number, 10).
:- pred(even(number)).
:- modeh(1, even(+number)).
:- modeb(1, even(+number)).
:- learn(even/1, 1).
even(0).
)";

std::string number(int n) { return n == 0 ? "0" : "s(" + number(n - 1) + ")"; }

WrittenExamples even_examples() {
    WrittenExample example;
    for (int n = 0; n <= 10; ++n) example.targets.emplace_back("even(" + number(n) + ")", n % 2 == 0);
    return {example};
}

std::vector<float> even_values(PublishedReasoner reasoner) {
    LearningWorld world(even_program, even_examples(), {}, "paper");
    const std::vector<std::uint32_t> candidates = {world.add("even(s(s(X))) :- even(X).")};
    TapeReasoner run(world.problem, candidates, world.asked, {.reasoner = reasoner}, nullptr);
    std::vector<float> values;
    run.predict(world.train, std::vector<double>{1.0}, 1, values);
    return values;
}

// By the paper's equations even numbers stay at 1. The public program divides all numbers by that of its dummy atom,
// which grows with every step: its values are known from running it.
TEST(PublishedReasoner, EvenNumbersByTheTextAndByTheCode) {
    const std::vector<float> text = even_values(PublishedReasoner::Neumann);
    EXPECT_NEAR(text[0], 1.0, 1e-6);
    EXPECT_NEAR(text[10], 1.0, 1e-6);
    const std::vector<float> code = even_values(PublishedReasoner::NeumannCode);
    EXPECT_NEAR(code[0], 0.9661, 5e-5);
    EXPECT_NEAR(code[10], 0.9397, 5e-5);
    EXPECT_NEAR(code[9], 0.048, 5e-4);
    const std::vector<float> from_zero = even_values(PublishedReasoner::NeumannFromZero);
    for (std::size_t n = 0; n <= 10; ++n) EXPECT_EQ(from_zero[n], n % 2 == 0 ? 1.0F : 0.0F) << n;
}

// The same values and gradients as those of the engines, which have their own implementation.
void expect_the_semantics(PublishedReasoner reasoner, const char* name) {
    const Task task = noisy(40);
    LearningWorld world(task.program, task.train, task.validation, name);
    const std::vector<std::uint32_t> candidates = {world.add("good(X) :- in(A, X), red(A)."),
                                                   world.add("good(X) :- in(A, X), in(B, X), touch(A, B)."),
                                                   world.add("good(X) :- in(A, X), in(B, X), red(A), touch(A, B).")};
    const std::vector<double> weights = {0.2, 0.7, 0.4};
    TapeReasoner tape(world.problem, candidates, world.asked, {.reasoner = reasoner, .steps = 2}, nullptr);
    std::vector<float> values;
    tape.predict(world.train, weights, 64, values);
    ReasonOptions options;
    options.semantics = semantics_named(name);
    options.steps = 2;
    CandidateGraph graph(world.problem, candidates, world.asked, {options, std::nullopt, nullptr});
    graph.set_weights(weights);
    std::vector<float> expected;
    graph.predict(world.train, expected);
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t t = 0; t < values.size(); ++t) EXPECT_NEAR(values[t], expected[t], 1e-5) << "label " << t;
}

TEST(PublishedReasoner, TheLeakFreeOneIsSoftor) { expect_the_semantics(PublishedReasoner::NeumannFromZero, "softor"); }

// Of one head with two clauses, by hand.
TEST(PublishedReasoner, AlphaIlpAndItsElders) {
    const char* program = R"(
:- type(thing, [t]).
:- neural(red(thing)).
:- neural(round(thing)).
:- pred(good(thing)).
:- modeh(1, good(+thing)).
:- modeb(1, red(+thing)).
:- modeb(1, round(+thing)).
:- learn(good/1, 1).
)";
    LearningWorld world(program, {{{{"red(t)", 0.6F}, {"round(t)", 0.3F}}, {{"good(t)", true}}}}, {}, "paper");
    const std::vector<std::uint32_t> candidates = {world.add("good(X) :- red(X)."), world.add("good(X) :- round(X).")};
    const auto value = [&](PublishedReasoner reasoner, std::vector<double> weights, std::uint32_t slots) {
        ReasonerTask task{.reasoner = reasoner, .steps = 1, .slots = slots};
        if (reasoner == PublishedReasoner::Dilp) task.pairs = {{0, 0}, {0, 1}};
        TapeReasoner run(world.problem, candidates, world.asked, task, nullptr);
        std::vector<float> values;
        run.predict(world.train, weights, 1, values);
        return static_cast<double>(values[0]);
    };
    // Each clause has one instance; softor(0, Σ θ·C).
    EXPECT_NEAR(value(PublishedReasoner::AlphaIlp, {0.75, 0.25}, 1), 0.75 * 0.6 + 0.25 * 0.3, 1e-6);
    EXPECT_NEAR(value(PublishedReasoner::DilpSt, {0.75, 0.25}, 1), 0.525, 1e-6);
    // Two slots, of which the first takes the first clause: the larger of 0.6 and 0.3, softly.
    EXPECT_NEAR(value(PublishedReasoner::AlphaIlp, {1, 0, 0, 1}, 2), 0.6, 1e-6);
    EXPECT_NEAR(value(PublishedReasoner::DilpSt, {0.5, 0.5, 0, 1}, 2), 0.45, 1e-6);
    // Pairs: max(0.6, 0.6) and max(0.6, 0.3).
    EXPECT_NEAR(value(PublishedReasoner::Dilp, {0.25, 0.75}, 1), 0.6, 1e-6);
}

// What nothing supports has as many falsehoods as a clause has instances, each of which counts a little.
TEST(PublishedReasoner, AlphaIlpCountsFalsehoods) {
    const Task task = noisy(4);
    const WrittenExample touching = {{{"in(t0,img)", 1}, {"in(t1,img)", 1}, {"touch(t0,t1)", 1}, {"touch(t1,t0)", 1}},
                                     {{"good(img)", true}}};
    const WrittenExample apart = {{{"in(t0,img)", 1}, {"in(t1,img)", 1}}, {{"good(img)", false}}};
    LearningWorld world(task.program, {touching, apart}, {}, "paper");
    const std::vector<std::uint32_t> candidates = {world.add("good(X) :- in(A, X), in(B, X), touch(A, B).")};
    ASSERT_EQ(world.problem.candidate(candidates[0]).instances->count(), 2U);
    const auto value_apart = [&](PublishedReasoner reasoner) {
        ReasonerTask of{.reasoner = reasoner, .steps = 1};
        if (reasoner == PublishedReasoner::Dilp) of.pairs = {{0, 0}};
        TapeReasoner run(world.problem, candidates, world.asked, of, nullptr);
        std::vector<float> values;
        run.predict(world.train, std::vector<double>{1.0}, 1, values);
        return values[1];
    };
    EXPECT_NEAR(value_apart(PublishedReasoner::AlphaIlp), 0.01 * std::log(1 + 2), 1e-6) << "softor(0, γ·log 2)";
    EXPECT_NEAR(value_apart(PublishedReasoner::DilpSt), 0, 2e-5);
    EXPECT_EQ(value_apart(PublishedReasoner::Dilp), 0);
}

// By weights, of the mean loss of a batch.
TEST(PublishedReasoner, GradientsAreThoseOfSmallDifferences) {
    const Task task = noisy(24);
    LearningWorld world(task.program, task.train, task.validation, "paper");
    const std::vector<std::uint32_t> candidates = {world.add("good(X) :- in(A, X), red(A)."),
                                                   world.add("good(X) :- in(A, X), in(B, X), touch(A, B).")};
    const std::vector<std::uint32_t> batch = {0, 3, 4, 7, 9};
    const std::vector<bool> all(world.train.target_count(), true);
    for (const auto& [reasoner, weights] : {std::pair(PublishedReasoner::Neumann, std::vector<double>{0.3, 0.5}),
                                            {PublishedReasoner::NeumannFromZero, {0.3, 0.5}},
                                            {PublishedReasoner::NeumannCode, {0.3, 0.5}},
                                            {PublishedReasoner::AlphaIlp, {0.3, 0.4, 0.4, 0.1}},
                                            {PublishedReasoner::DilpSt, {0.3, 0.4, 0.4, 0.1}},
                                            {PublishedReasoner::Dilp, {0.3, 0.4}}}) {
        SCOPED_TRACE(static_cast<int>(reasoner));
        ReasonerTask of{.reasoner = reasoner, .steps = 1, .slots = 2};
        if (reasoner == PublishedReasoner::Dilp) of.pairs = {{0, 0}, {0, 1}};
        TapeReasoner run(world.problem, candidates, world.asked, of, nullptr);
        const TapeReasoner::Gradient found = run.gradient(world.train, batch, all, weights);
        for (std::size_t w = 0; w < weights.size(); ++w) {
            constexpr double step = 1e-7;
            const auto loss = [&](double change) {
                std::vector<double> changed = weights;
                changed[w] += change;
                return run.gradient(world.train, batch, all, changed).loss;
            };
            EXPECT_NEAR(found.by_weight[w], (loss(step) - loss(-step)) / (2 * step), 1e-4) << "weight " << w;
        }
    }
}

}  // namespace
}  // namespace neumann
