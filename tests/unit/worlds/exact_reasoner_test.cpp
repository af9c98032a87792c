#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <neumann/error.h>
#include <neumann/model.h>
#include <neumann/reasoner.h>

#include "worlds/semantics/exact.h"

namespace neumann {
namespace {

ReasonerOptions exact_options() {
    ReasonerOptions options;
    options.semantics = "exact";
    options.engine = "reference";
    return options;
}

double probability(const std::string& program, const std::string& atom) {
    ModelOptions options;
    options.queries = {atom};
    const Model model = Model::parse(program, options);
    Reasoner reasoner(model, exact_options());
    return static_cast<double>(reasoner.forward(Batch(model, 1)).value(0, *model.find_atom(atom)));
}

constexpr double tolerance = 1e-6;

TEST(ExactReasoner, SharedFactsCountOnce) {
    EXPECT_NEAR(probability("0.6::q. r. s. p :- q, r. p :- q, s.", "p"), 0.6, tolerance);
    EXPECT_NEAR(probability("0.5::a. p :- a. q :- a. r :- p, q.", "r"), 0.5, tolerance);
}

std::string grid_node(int i, int j) { return "n" + std::to_string(i) + "_" + std::to_string(j); }
std::string grid_path(int n) { return "path(n0_0," + grid_node(n - 1, n - 1) + ")"; }

// n × n nodes, edges to the right and down.
std::string grid_program(int n) {
    std::string text = "path(X,Y) :- edge(X,Y).\npath(X,Y) :- edge(X,Z), path(Z,Y).\n";
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            if (i + 1 < n) text += "0.7::edge(" + grid_node(i, j) + "," + grid_node(i + 1, j) + ").\n";
            if (j + 1 < n) text += "0.7::edge(" + grid_node(i, j) + "," + grid_node(i, j + 1) + ").\n";
        }
    }
    return text;
}

// The figures of ProbLog 2.2 for edges of probability 0.7.
TEST(ExactReasoner, ReliabilityOfAGrid) {
    EXPECT_NEAR(probability(grid_program(4), grid_path(4)), 0.64046601, tolerance);
    EXPECT_NEAR(probability(grid_program(7), grid_path(7)), 0.59888221, tolerance);
}

// What is too large may be tried in another order; when the time is over, nothing more is.
TEST(ExactReasoner, TimeLimitEndsCompiling) {
    ModelOptions model_options;
    model_options.queries = {grid_path(12)};
    const Model model = Model::parse(grid_program(12), model_options);
    ReasonerOptions options = exact_options();
    options.time_limit = 1e-9;
    int told = 0;
    options.progress = [&](std::string_view, std::uint64_t, std::uint64_t) { ++told; };
    EXPECT_THROW(Reasoner(model, options), Error);
    EXPECT_EQ(told, 1);
}

TEST(ExactReasoner, CyclesAreLeastFixedPoints) {
    const std::string text = "0.5::e(a,b). 0.5::e(b,a). 0.5::e(b,c). p(X,Y) :- e(X,Y). p(X,Y) :- p(X,Z), p(Z,Y).";
    EXPECT_NEAR(probability(text, "p(a,c)"), 0.25, tolerance);
    EXPECT_NEAR(probability(text, "p(a,a)"), 0.25, tolerance);
    EXPECT_NEAR(probability("0.3::s(a). f(a,b). f(b,a). s(X) :- f(X,Y), s(Y).", "s(b)"), 0.3, tolerance);
}

TEST(ExactReasoner, EachInstanceOfAClauseIsAnEvent) {
    const std::string text = "c(1). c(2). 0.5::p :- c(X). 0.4::q :- c(X), c(Y), X \\= Y.";
    EXPECT_NEAR(probability(text, "p"), 0.75, tolerance);
    EXPECT_NEAR(probability(text, "q"), 0.64, tolerance);
}

TEST(ExactReasoner, HeadsOfADisjunctionExcludeEachOtherForEachInstance) {
    const std::string text =
        "c(1). c(2). 0.3::a(X) ; 0.5::b(Y) :- c(X), c(Y). both :- a(1), b(2). any :- a(1). any :- b(1).";
    // a(1) by (1,1) or (1,2), b(2) by (1,2) or (2,2): not both by (1,2).
    const double neither = 0.2;
    const double a_of_12 = 0.3;
    const double b_of_12 = 0.5;
    EXPECT_NEAR(probability(text, "both"), a_of_12 * 0.5 + b_of_12 * 0.3 + neither * 0.3 * 0.5, tolerance);
    EXPECT_NEAR(probability("0.3::a ; 0.7::b. c :- a. c :- b. d :- a, b.", "c"), 1.0, tolerance);
}

TEST(ExactReasoner, NegationIsWhatIsLeft) {
    EXPECT_NEAR(probability("0.3::a. 0.4::b. p :- a, \\+ b. q :- \\+ p.", "q"), 1 - 0.3 * 0.6, tolerance);
}

TEST(ExactReasoner, EvidenceIsACondition) {
    const std::string alarm = "0.1::burglary. 0.2::earthquake. 0.7::hears. alarm :- burglary. alarm :- earthquake. "
                              "calls :- alarm, hears. evidence(calls).";
    EXPECT_NEAR(probability(alarm, "burglary"), 0.1 / 0.28, tolerance);
    EXPECT_NEAR(probability("0.6::a ; 0.4::b. c :- a. evidence(\\+ c).", "b"), 1.0, tolerance);
}

TEST(ExactReasoner, EvidenceThatCannotBeTrueIsAnError) {
    const Model model = Model::parse("0.5::a. p :- a. q :- \\+ a. evidence(p). evidence(q). query(a).");
    EXPECT_THROW(Reasoner(model, exact_options()), std::invalid_argument);
    EXPECT_THROW(Model::parse("0.5::a. p :- a. q(1) :- p. evidence(q(2)). query(a)."), Error);
}

TEST(ExactReasoner, OtherSemanticsRefuseEvidenceAboutWhatIsDerived) {
    const Model model = Model::parse("0.5::a. p :- a. evidence(p). query(a).");
    EXPECT_THROW(Reasoner(model, {}), Error);
}

TEST(ExactReasoner, ExclusiveInputsAreOneChoice) {
    ModelOptions options;
    options.queries = {"sum(3)"};
    const Model model = Model::parse(
        ":- neural(digit(image, value)). :- type(image, [x, y]). :- type(value, 0..3). :- exclusive(digit/2, 2).\n"
        "sum(S) :- digit(x,A), digit(y,B), S is A + B.",
        options);
    Reasoner reasoner(model, exact_options());
    Batch batch(model, 1);
    for (const char* image : {"x", "y"}) {
        for (int v = 0; v < 4; ++v) batch.set(0, "digit(" + std::string(image) + "," + std::to_string(v) + ")", 0.25);
    }
    EXPECT_NEAR(static_cast<double>(reasoner.forward(batch).value(0, *model.find_atom("sum(3)"))), 0.25, tolerance);
    batch.set(0, "digit(x,0)", 0.9);
    EXPECT_THROW(reasoner.forward(batch), std::invalid_argument);
}

TEST(ExactReasoner, WhatIsNotAskedIsNotKnown) {
    const Model model = Model::parse("0.5::a. p :- a. q :- p. query(q).");
    Reasoner reasoner(model, exact_options());
    const Values values = reasoner.forward(Batch(model, 1));
    EXPECT_NO_THROW(values.value(0, *model.find_atom("q")));
    EXPECT_THROW(values.value(0, *model.find_atom("p")), std::invalid_argument);
}

// A circuit cannot take back that a clause is certain, and says so.
TEST(ExactReasoner, CertainClausesStayCertain) {
    const Model model = Model::parse("0.5::a. 0.5::p :- a. q :- p. query(q).");
    Reasoner reasoner(model, exact_options());
    reasoner.set_weights(std::vector<double>{0.8, 1});
    EXPECT_NEAR(static_cast<double>(reasoner.forward(Batch(model, 1)).value(0, *model.find_atom("q"))), 0.4, tolerance);
    reasoner.set_weights(std::vector<double>{0.8, 0.9});
    EXPECT_THROW(reasoner.forward(Batch(model, 1)), std::invalid_argument);
}

TEST(ExactReasoner, SavedGraphsKeepDisjunctionsAndEvidence) {
    const std::string text = "0.3::a ; 0.7::b. c :- a. d :- b. evidence(\\+ c). query(d).";
    const Model model = Model::parse(text);
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "exact_reasoner_test.nmg";
    model.save(file);
    const Model loaded = Model::load(file);
    Reasoner reasoner(loaded, exact_options());
    EXPECT_NEAR(static_cast<double>(reasoner.forward(Batch(loaded, 1)).value(0, *loaded.find_atom("d"))), 1.0,
                tolerance);
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace neumann
