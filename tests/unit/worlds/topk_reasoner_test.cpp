#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <neumann/model.h>
#include <neumann/reasoner.h>
#include <neumann/session.h>

namespace neumann {
namespace {

ReasonerOptions topk_options(std::uint32_t k) {
    ReasonerOptions options;
    options.semantics = "topk";
    options.k = k;
    return options;
}

Model model_of(const std::string& program, const std::vector<std::string>& queries) {
    ModelOptions options;
    options.queries = queries;
    return Model::parse(program, options);
}

struct Shown {
    double value;
    Interval interval;
    std::uint32_t proofs;
};

Shown shown(const std::string& program, const std::string& query, std::uint32_t k) {
    SessionOptions options;
    options.reason = topk_options(k);
    options.queries = {query};
    Session session([&](const ModelRequest&) { return model_of(program, {query}); }, options);
    session.run_own_facts();
    return {session.value(0, 0), session.interval(0, 0), session.steps(0)};
}

// Edges to the right and down.
std::string grid(int side) {
    std::string text;
    for (int x = 0; x < side; ++x) {
        for (int y = 0; y < side; ++y) {
            if (x + 1 < side) text += fmt::format("0.7::edge(n{}_{}, n{}_{}).\n", x, y, x + 1, y);
            if (y + 1 < side) text += fmt::format("0.7::edge(n{}_{}, n{}_{}).\n", x, y, x, y + 1);
        }
    }
    return text + "path(X,Y) :- edge(X,Y).\npath(X,Y) :- edge(X,Z), path(Z,Y).\n";
}

TEST(TopkReasoner, CountsTheMostProbableProofs) {
    const std::string program = "0.5::a. 0.4::b. 0.3::c. p :- a. p :- b. p :- c.";
    EXPECT_NEAR(shown(program, "p", 1).value, 0.5, 1e-7);
    EXPECT_NEAR(shown(program, "p", 2).value, 0.7, 1e-7);
    EXPECT_NEAR(shown(program, "p", 3).value, 0.79, 1e-7);
    EXPECT_EQ(shown(program, "p", 2).proofs, 2U);
    EXPECT_EQ(shown(program, "p", 10).proofs, 3U);
}

TEST(TopkReasoner, AllProofsAreExact) {
    const Shown all = shown(grid(4), "path(n0_0, n3_3)", 20);
    EXPECT_NEAR(all.value, 0.64046601, 1e-7);
    EXPECT_NEAR(all.interval.high, all.interval.low, 1e-12);
    EXPECT_EQ(all.proofs, 20U);
    const Shown one = shown(grid(4), "path(n0_0, n3_3)", 1);
    EXPECT_NEAR(one.value, std::pow(0.7, 6), 1e-7);
    EXPECT_EQ(one.interval.low, one.value);
    EXPECT_NEAR(one.interval.high, 0.64046601, 1e-7);  // small enough for exact functions
}

// Two ways of one choice, and what is derived twice from the same.
TEST(TopkReasoner, ProofsThatContradictThemselvesAreNone) {
    EXPECT_EQ(shown("0.2::a; 0.3::b. p :- a, b.", "p", 5).interval.high, 0.0);
    const Shown twice = shown("0.6::q. r. s. p :- q, r. p :- q, s.", "p", 5);
    EXPECT_EQ(twice.proofs, 1U);
    EXPECT_NEAR(twice.value, 0.6, 1e-7);
    const Shown negated = shown("0.6::q. 0.5::r. s :- q. p :- r, \\+ s. p :- q, \\+ s.", "p", 5);
    EXPECT_EQ(negated.proofs, 1U);
    EXPECT_NEAR(negated.value, 0.2, 1e-7);
}

TEST(TopkReasoner, AnExampleDoesNotDependOnOthers) {
    const Model model = model_of(":- neural(a). :- neural(b). p :- a, \\+ b. p :- b.", {"p"});
    const AtomIndex p = *model.find_atom("p");
    Reasoner reasoner(model, topk_options(1));
    Batch alone(model, 1);
    alone.set(0, "a", 0.7);
    alone.set(0, "b", 0.25);
    Batch second(model, 2);
    second.set(0, "b", 0.5);
    second.set(1, "a", 0.7);
    second.set(1, "b", 0.25);
    EXPECT_NEAR(static_cast<double>(reasoner.forward(alone).value(0, p)), 0.7 * 0.75, 1e-6);
    EXPECT_EQ(reasoner.forward(alone).value(0, p), reasoner.forward(second).value(1, p));
}

TEST(TopkReasoner, GradientsAreThoseOfTheProofsThatCount) {
    const Model model = model_of("0.5::a. 0.4::b. 0.8::p :- a. p :- b.", {"p"});
    Reasoner reasoner(model, topk_options(1));
    const Values values = reasoner.forward(Batch(model, 1), Retain::Backward);
    OutputGradients ones(1);
    ones.add(0, *model.find_atom("p"), 1.0);
    const Gradients gradients = reasoner.backward(values, ones);
    // The value is 0.5 * 0.8 or 0.4: equally probable, and one of them counts.
    const auto by_a = static_cast<double>(gradients.input(0, *model.find_atom("a")));
    const auto by_b = static_cast<double>(gradients.input(0, *model.find_atom("b")));
    EXPECT_TRUE((std::abs(by_a - 0.8) < 1e-6 && by_b == 0) || (by_a == 0 && std::abs(by_b - 1) < 1e-6));
}

TEST(TopkReasoner, RefusesWhatItDoesNotHave) {
    const Model model = model_of("0.6::q. p :- q.", {"p"});
    ReasonerOptions options = topk_options(0);
    EXPECT_THROW(Reasoner(model, options), std::invalid_argument);
    options = topk_options(10);
    options.engine = "reference";
    EXPECT_THROW(Reasoner(model, options), std::invalid_argument);
    options = topk_options(10);
    options.kernel = "baseline";
    EXPECT_THROW(Reasoner(model, options), std::invalid_argument);
    options = topk_options(10);
    options.steps = 3;
    EXPECT_THROW(Reasoner(model, options), std::invalid_argument);
}

// What is too large for exact values has bounds, if they are asked for.
TEST(BoundsAtALimit, StandInThePlaceOfExactValues) {
    SessionOptions options;
    options.reason.semantics = "exact";
    options.reason.memory_limit = 1 << 20;
    options.reason.exact_method = "diagrams";
    options.queries = {"path(n0_0, n7_7)"};
    const auto make = [&](const ModelRequest&) { return model_of(grid(8), options.queries); };
    EXPECT_THROW(Session(make, options), Error);
    options.bounds_at_limit = true;
    Session session(make, options);
    session.run_own_facts();
    ASSERT_TRUE(session.limit_problem().has_value());
    EXPECT_NE(session.limit_problem()->find("112 random choices, all of them of edge/2"), std::string::npos)
        << *session.limit_problem();
    const Interval bounds = session.interval(0, 0);
    constexpr double exact = 0.59234;  // by exact semantics without a limit
    EXPECT_LT(bounds.low, exact);
    EXPECT_GT(bounds.low, 0.1);
    EXPECT_GT(bounds.high, exact);
    EXPECT_LT(bounds.high, 0.9);
}

}  // namespace
}  // namespace neumann
