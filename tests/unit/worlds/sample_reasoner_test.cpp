#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <neumann/model.h>
#include <neumann/reasoner.h>

#include "worlds/world_sampler.h"

namespace neumann {
namespace {

ReasonerOptions sample_options() {
    ReasonerOptions options;
    options.semantics = "sample";
    options.samples = 100'000;
    return options;
}

Model model_of(const std::string& program, const std::vector<std::string>& queries) {
    ModelOptions options;
    options.queries = queries;
    return Model::parse(program, options);
}

TEST(WilsonInterval, IsThatOfTables) {
    EXPECT_NEAR(wilson_interval(0.5, 100).low, 0.4038, 5e-5);
    EXPECT_NEAR(wilson_interval(0.5, 100).high, 0.5962, 5e-5);
    EXPECT_EQ(wilson_interval(0, 10).low, 0);
    EXPECT_NEAR(wilson_interval(0, 10).high, 0.2775, 5e-5);
    EXPECT_EQ(wilson_interval(1, 10).high, 1);
    EXPECT_EQ(wilson_interval(0.5, 0).low, 0);  // nothing was seen: nothing is known
    EXPECT_EQ(wilson_interval(0.5, 0).high, 1);
}

TEST(SampleReasoner, EstimatesExactProbabilities) {
    const Model model = model_of("0.6::q. r. s. p :- q, r. p :- q, s.", {"p"});
    Reasoner reasoner(model, sample_options());
    const Values values = reasoner.forward(Batch(model, 1));
    EXPECT_NEAR(static_cast<double>(values.value(0, *model.find_atom("p"))), 0.6, 0.01);
    EXPECT_EQ(values.steps(0), 100'000U);
}

// What one of them leaves to the others is theirs in every world.
TEST(SampleReasoner, OutcomesThatExcludeEachOther) {
    const Model model = model_of("0.2::a; 0.3::b; 0.5::c. any :- a. any :- b. any :- c. two :- a, b. two :- b, c.",
                                 {"any", "two", "c"});
    Reasoner reasoner(model, sample_options());
    const Values values = reasoner.forward(Batch(model, 1));
    EXPECT_EQ(values.value(0, *model.find_atom("any")), 1.0F);
    EXPECT_EQ(values.value(0, *model.find_atom("two")), 0.0F);
    EXPECT_NEAR(static_cast<double>(values.value(0, *model.find_atom("c"))), 0.5, 0.01);
}

TEST(SampleReasoner, AnExampleDoesNotDependOnOthers) {
    const Model model = model_of(":- neural(a). :- neural(b). p :- a, \\+ b.", {"p"});
    const AtomIndex p = *model.find_atom("p");
    Reasoner reasoner(model, sample_options());
    Batch alone(model, 1);
    alone.set(0, "a", 0.7);
    Batch second(model, 2);
    second.set(0, "b", 0.5);
    second.set(1, "a", 0.7);
    EXPECT_EQ(reasoner.forward(alone).value(0, p), reasoner.forward(second).value(1, p));
}

TEST(SampleReasoner, RefusesWhatItDoesNotHave) {
    const Model model = model_of("0.6::q. p :- q.", {"p"});
    Reasoner reasoner(model, sample_options());
    EXPECT_THROW(reasoner.backward(reasoner.forward(Batch(model, 1), Retain::Backward), OutputGradients(1)),
                 std::invalid_argument);
    ReasonerOptions options = sample_options();
    options.engine = "reference";
    EXPECT_THROW(Reasoner(model, options), std::invalid_argument);
    options = sample_options();
    options.samples = 0;
    EXPECT_THROW(Reasoner(model, options), std::invalid_argument);
}

}  // namespace
}  // namespace neumann
