// Small examples whose numbers can be worked out by hand, and what the reasoner refuses.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reason/choose_kernel.h"
#include "reason/reasoner.h"
#include "unit/all_gradients.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

constexpr double gamma_here = 0.1;

ReasonOptions options_for(Semantics semantics, std::optional<std::uint32_t> steps = 1) {
    ReasonOptions options;
    options.semantics = semantics;
    options.gamma = gamma_here;
    options.steps = steps;
    return options;
}

// A program without arguments, reasoned over one example at a time; atoms by name.
class Reasoned {
public:
    explicit Reasoned(const std::string& text, const ReasonOptions& options = {})
        : grounded_(ground_text(text, {.mode = GroundMode::Full})),
          reasoner_(make_reasoner(grounded_.ground.graph, options)),
          weights_(reasoner_->own_weights().begin(), reasoner_->own_weights().end()) {}

    const GraphReasoner* operator->() const { return reasoner_.get(); }
    void set_weights(std::vector<double> weights) { weights_ = std::move(weights); }
    Pass forward(const InputBatch& inputs, Keep keep = Keep::Results) const {
        return reasoner_->forward(inputs, weights_, {.keep = keep});
    }
    AllGradients backward(const Pass& pass, const InputBatch& seeds) const {
        return AllGradients(*reasoner_, pass, seeds);
    }
    std::uint32_t atom(const std::string& name) const {
        const std::vector<std::string> texts = atom_texts(grounded_);
        return static_cast<std::uint32_t>(std::ranges::find(texts, name) - texts.begin());
    }
    InputBatch numbers(const std::map<std::string, float>& values) const {
        InputBatch::Builder result(1);
        for (const auto& [name, value] : values) result.add(0, atom(name), value);
        return result.build();
    }
    // Forwards, and backwards from a gradient of 1 for one atom.
    void run(const std::map<std::string, float>& inputs, const std::string& result) {
        pass_ = forward(numbers(inputs), Keep::Backward);
        gradients_ = backward(pass_, numbers({{result, 1.0F}}));
    }
    float value(const std::string& name) const { return pass_.value(atom(name), 0); }
    float input_gradient(const std::string& name) const { return gradients_.input(atom(name), 0); }
    float weight_gradient(std::uint32_t clause) const { return gradients_.weight(clause, 0); }

private:
    GroundedText grounded_;
    std::unique_ptr<GraphReasoner> reasoner_;
    std::vector<double> weights_;
    Pass pass_;
    AllGradients gradients_;
};

// Two rules for one head that is a fact too: θ₁ab = .5·.9·.8 = .36, θ₂c = .25, and .3 of its own.

const char* const two_rules = ":- neural(a). :- neural(b). :- neural(c). :- pred(p).\n"
                              "0.3::p.\n"
                              "0.5::p :- a, b.\n"
                              "1::p :- c.\n";
const std::map<std::string, float> abc = {{"a", 0.9F}, {"b", 0.8F}, {"c", 0.25F}};

struct Derivatives {
    double a, b, c, p;     // by the inputs
    double first, second;  // by the weights
};

void expect_two_rules(Semantics semantics, double value, const Derivatives& expected) {
    for (const Kernel* kernel : available_kernels()) {
        ReasonOptions options = options_for(semantics);
        options.kernel = kernel->name;
        Reasoned reasoned(two_rules, options);
        reasoned.run(abc, "p");
        const double tolerance = 2e-6;
        EXPECT_NEAR(reasoned.value("p"), value, tolerance) << kernel->name;
        EXPECT_NEAR(reasoned.input_gradient("a"), expected.a, tolerance) << kernel->name;
        EXPECT_NEAR(reasoned.input_gradient("b"), expected.b, tolerance) << kernel->name;
        EXPECT_NEAR(reasoned.input_gradient("c"), expected.c, tolerance) << kernel->name;
        EXPECT_NEAR(reasoned.input_gradient("p"), expected.p, tolerance) << kernel->name;
        EXPECT_NEAR(reasoned.weight_gradient(0), expected.first, tolerance) << kernel->name;
        EXPECT_NEAR(reasoned.weight_gradient(1), expected.second, tolerance) << kernel->name;
    }
}

TEST(GraphReasoner, MaxProduct) {
    expect_two_rules(semantics_named("max-product"), 0.36,
                     {.a = 0.4, .b = 0.45, .c = 0, .p = 0, .first = 0.72, .second = 0});
}

TEST(GraphReasoner, NoisyOr) {
    // 1 − .64·.75·.7; the derivative by each is the product of the other two factors.
    const double first = 0.75 * 0.7;
    const double second = 0.64 * 0.7;
    expect_two_rules(semantics_named("noisy-or"), 0.664,
                     {.a = first * 0.4,
                      .b = first * 0.45,
                      .c = second,
                      .p = 0.64 * 0.75,
                      .first = first * 0.72,
                      .second = second * 0.25});
}

TEST(GraphReasoner, ClausewiseIsNoisyOrWhereEachClauseHasOneInstance) {
    const double first = 0.75 * 0.7;
    const double second = 0.64 * 0.7;
    expect_two_rules(semantics_named("clausewise"), 0.664,
                     {.a = first * 0.4,
                      .b = first * 0.45,
                      .c = second,
                      .p = 0.64 * 0.75,
                      .first = first * 0.72,
                      .second = second * 0.25});
}

TEST(GraphReasoner, Godel) {
    // min(.5, .9, .8) is the weight itself.
    expect_two_rules(semantics_named("godel"), 0.5, {.a = 0, .b = 0, .c = 0, .p = 0, .first = 1, .second = 0});
}

TEST(GraphReasoner, Lukasiewicz) {
    // .5 − .1 − .2 = .2, 1 − .75 = .25, and .3 of its own.
    expect_two_rules(semantics_named("lukasiewicz"), 0.75, {.a = 1, .b = 1, .c = 1, .p = 1, .first = 1, .second = 1});
}

TEST(GraphReasoner, SoftOr) {
    const double sum = 1 + std::expm1(3.6) + std::expm1(2.5) + std::expm1(3.0);
    const double first = std::exp(3.6) / sum;
    const double second = std::exp(2.5) / sum;
    expect_two_rules(semantics_named("softor"), gamma_here * std::log(sum),
                     {.a = first * 0.4,
                      .b = first * 0.45,
                      .c = second,
                      .p = std::exp(3.0) / sum,
                      .first = first * 0.72,
                      .second = second * 0.25});
}

TEST(GraphReasoner, Paper) {
    const auto softor = [](double x, double y) { return gamma_here * std::log(std::exp(x / 0.1) + std::exp(y / 0.1)); };
    const auto share = [&](double x, double y) { return std::exp((x - softor(x, y)) / gamma_here); };
    const double v1 = softor(0, 0.72);
    const double v2 = softor(0, 0.25);
    const double derived = softor(0.5 * v1, v2);
    const double first = share(derived, 0.3) * share(0.5 * v1, v2);
    const double second = share(derived, 0.3) * share(v2, 0.5 * v1);
    expect_two_rules(semantics_named("paper"), softor(0.3, derived),
                     {.a = first * 0.5 * share(0.72, 0) * 0.8,
                      .b = first * 0.5 * share(0.72, 0) * 0.9,
                      .c = second * share(0.25, 0),
                      .p = share(0.3, derived),
                      .first = first * v1,
                      .second = second * v2});
}

// Three instances of one rule, another rule, and .3 of its own.
const char* const three_instances = ":- type(t, [1,2,3]). :- neural(q(t)). :- neural(r(t)). :- neural(c). :- pred(p).\n"
                                    "0.3::p.\n"
                                    "0.5::p :- q(X), r(X).\n"
                                    "0.4::p :- c.\n";

void for_each_kernel(Semantics semantics, const char* program, const std::function<void(Reasoned&)>& check) {
    for (const Kernel* kernel : available_kernels()) {
        SCOPED_TRACE(kernel->name);
        ReasonOptions options = options_for(semantics);
        options.kernel = kernel->name;
        Reasoned reasoned(program, options);
        check(reasoned);
    }
}

TEST(GraphReasoner, ClausewiseTakesTheBestInstanceOfEachClause) {
    for_each_kernel(semantics_named("clausewise"), three_instances, [](Reasoned& reasoned) {
        // The instances are .45, .56 and .18: 1 − .7·(1 − .5·.56)·(1 − .4·.25) = 1 − .7·.72·.9.
        std::map<std::string, float> inputs = {{"q(1)", 0.9F}, {"q(2)", 0.8F}, {"q(3)", 0.2F}, {"r(1)", 0.5F},
                                               {"r(2)", 0.7F}, {"r(3)", 0.9F}, {"c", 0.25F}};
        const auto expect = [&](double value, const std::map<std::string, double>& derivatives, double first,
                                double second) {
            reasoned.run(inputs, "p");
            EXPECT_NEAR(reasoned.value("p"), value, 1e-6);
            for (const auto& [name, input] : inputs) {
                const auto found = derivatives.find(name);
                EXPECT_NEAR(reasoned.input_gradient(name), found == derivatives.end() ? 0 : found->second, 1e-6)
                    << name;
            }
            EXPECT_NEAR(reasoned.weight_gradient(0), first, 1e-6);
            EXPECT_NEAR(reasoned.weight_gradient(1), second, 1e-6);
        };
        expect(1 - 0.7 * 0.72 * 0.9,
               {{"q(2)", 0.7 * 0.9 * 0.5 * 0.7}, {"r(2)", 0.7 * 0.9 * 0.5 * 0.8}, {"c", 0.7 * 0.72 * 0.4}},
               0.7 * 0.9 * 0.56, 0.7 * 0.72 * 0.25);
        EXPECT_NEAR(reasoned.input_gradient("p"), 0.72 * 0.9, 1e-6);
        // At a weight of 0 the derivative by it is still that of the best instance.
        reasoned.set_weights({0, 0.4});
        expect(1 - 0.7 * 0.9, {{"c", 0.7 * 0.4}}, 0.7 * 0.9 * 0.56, 0.7 * 0.25);
        // Among equals the first.
        reasoned.set_weights({0.5, 0.4});
        inputs["q(1)"] = 0.7F;
        inputs["r(1)"] = 0.8F;
        expect(1 - 0.7 * 0.72 * 0.9,
               {{"q(1)", 0.7 * 0.9 * 0.5 * 0.8}, {"r(1)", 0.7 * 0.9 * 0.5 * 0.7}, {"c", 0.7 * 0.72 * 0.4}},
               0.7 * 0.9 * 0.56, 0.7 * 0.72 * 0.25);
        // At 0 the first that one atom alone could lift.
        inputs = {{"q(1)", 0.0F}, {"r(1)", 0.0F}, {"q(2)", 0.0F}, {"r(2)", 0.7F},
                  {"q(3)", 0.2F}, {"r(3)", 0.0F}, {"c", 0.25F}};
        expect(1 - 0.7 * 0.9, {{"q(2)", 0.7 * 0.9 * 0.5 * 0.7}, {"c", 0.7 * 0.4}}, 0, 0.7 * 0.25);
        // A clause that is certain leaves the others no derivative.
        reasoned.set_weights({1, 0.4});
        inputs = {{"q(1)", 0.5F}, {"r(1)", 0.5F}, {"q(2)", 1.0F}, {"r(2)", 1.0F}, {"c", 0.25F}};
        expect(1, {{"q(2)", 0.7 * 0.9}, {"r(2)", 0.7 * 0.9}}, 0.7 * 0.9, 0);
    });
}

// More clauses for one head than the backward pass remembers the best instances of.
TEST(GraphReasoner, ClausewiseGivesEveryClauseItsShare) {
    constexpr unsigned count = 2 * block_size + 5;
    std::string program = ":- type(t, [1,2]). :- pred(p).\n";
    std::map<std::string, float> inputs;
    for (unsigned k = 0; k < count; ++k) {
        program += fmt::format(":- neural(q{0}(t)). 0.1::p :- q{0}(X).\n", k);
        inputs[fmt::format("q{}(1)", k)] = 0.25F;
        inputs[fmt::format("q{}(2)", k)] = 0.5F;
    }
    for_each_kernel(semantics_named("clausewise"), program.c_str(), [&](Reasoned& reasoned) {
        reasoned.run(inputs, "p");
        EXPECT_NEAR(reasoned.value("p"), 1 - std::pow(0.95, count), 1e-6);
        const double others = std::pow(0.95, count - 1);
        for (unsigned k = 0; k < count; ++k) {
            EXPECT_EQ(reasoned.input_gradient(fmt::format("q{}(1)", k)), 0) << k;
            EXPECT_NEAR(reasoned.input_gradient(fmt::format("q{}(2)", k)), others * 0.1, 1e-6) << k;
            EXPECT_NEAR(reasoned.weight_gradient(k), others * 0.5, 1e-6) << k;
        }
    });
}

// Instances of one clause do not add up, whether they are many objects or the same one said twice.
TEST(GraphReasoner, ClausewiseARedundantBodyAtomChangesNothing) {
    for (const char* body : {"q(X)", "q(X), q(Y)", "q(X), q(Y), q(Z)"}) {
        const std::string program =
            fmt::format(":- type(t, [1,2,3]). :- neural(q(t)). :- pred(p). 0.9::p :- {}.", body);
        for_each_kernel(semantics_named("clausewise"), program.c_str(), [&](Reasoned& reasoned) {
            reasoned.run({{"q(1)", 0.3F}, {"q(2)", 0.7F}, {"q(3)", 0.6F}}, "p");
            EXPECT_EQ(reasoned.value("p"), 0.9F * 0.7F) << body;
            EXPECT_EQ(reasoned.input_gradient("q(2)"), 0.9F) << body;
            EXPECT_EQ(reasoned.weight_gradient(0), 0.7F) << body;
        });
    }
}

// a·b at a = 0 has the derivative b, which dividing the product by a could not tell.
TEST(GraphReasoner, AZeroInputKeepsItsDerivative) {
    for (const SemanticsInfo& semantics : all_semantics()) {
        if (semantics.both(0.5, 0.5) != 0.25) continue;
        for (const Kernel* kernel : available_kernels()) {
            ReasonOptions options = options_for(semantics.semantics);
            options.kernel = kernel->name;
            Reasoned reasoned(":- neural(a). :- neural(b). :- pred(p). p :- a, b.", options);
            reasoned.run({{"a", 0.0F}, {"b", 0.7F}}, "p");
            if (semantics.keeps_zero) {
                EXPECT_NEAR(reasoned.input_gradient("a"), 0.7, 1e-6) << semantics.name << kernel->name;
            } else if (semantics.name == "paper") {
                // Literally, half of softor(0, 0) is the product's, and two thirds of softor(0, γ·log 2) the rule's.
                EXPECT_NEAR(reasoned.input_gradient("a"), 0.7 * 0.5 * 2 / 3, 1e-6) << kernel->name;
            } else {
                EXPECT_GT(reasoned.input_gradient("a"), 0.1F) << semantics.name << kernel->name;
            }
            EXPECT_EQ(reasoned.input_gradient("b"), 0.0F) << semantics.name << kernel->name;
            reasoned.run({{"a", 0.0F}, {"b", 0.0F}}, "p");
            EXPECT_EQ(reasoned.input_gradient("a"), 0.0F) << semantics.name << kernel->name;
        }
    }
}

TEST(GraphReasoner, WhatNothingSupportsStaysExactlyZeroWhereItShould) {
    for (const SemanticsInfo& semantics : all_semantics()) {
        for (const Kernel* kernel : available_kernels()) {
            ReasonOptions options = options_for(semantics.semantics, 50);
            options.kernel = kernel->name;
            Reasoned reasoned(":- neural(a). :- pred(p). :- pred(q). :- pred(r). p :- q. q :- p. r :- p, a.", options);
            reasoned.run({{"a", 0.9F}}, "r");
            for (const char* atom : {"p", "q", "r"})
                EXPECT_EQ(reasoned.value(atom) == 0, semantics.keeps_zero) << semantics.name << atom << kernel->name;
        }
    }
}

// A rule that does not fire leaves an initial value as it is, even where a neighbour in the batch makes it fire.
TEST(GraphReasoner, ARuleThatDoesNotFireChangesNothing) {
    for (const SemanticsInfo& semantics : all_semantics()) {
        if (!semantics.keeps_zero) continue;
        for (const Kernel* kernel : available_kernels()) {
            ReasonOptions options = options_for(semantics.semantics);
            options.kernel = kernel->name;
            Reasoned reasoned(":- pred(p). :- neural(q). p :- q.", options);
            const std::uint32_t p = reasoned.atom("p");
            for (int i = 0; i <= 1'000; ++i) {
                const float value = static_cast<float>(i) / 1'000;
                InputBatch::Builder inputs(2);
                inputs.add(0, p, value);
                inputs.add(1, reasoned.atom("q"), 1.0F);
                const Pass run = reasoned.forward(inputs.build());
                ASSERT_EQ(run.value(p, 0), value) << semantics.name << ", " << kernel->name;
            }
        }
    }
}

// Too small a sum counts as 0, whose sign would tell whether a neighbour had added 0 to it.
TEST(GraphReasoner, ASumThatUnderflowsHasNoSign) {
    Reasoned reasoned(":- type(t, [1,2,3]). :- neural(q(t)). :- pred(p(t)). 0.5::p(X) :- q(X).",
                      options_for(semantics_named("max-product")));
    const InputBatch inputs = reasoned.numbers({{"q(1)", 3e-38F}, {"q(2)", 3.1e-38F}});
    const InputBatch seeds = reasoned.numbers({{"p(1)", 1.0F}, {"p(2)", -1.0F}});
    const AllGradients gradients = reasoned.backward(reasoned.forward(inputs, Keep::Backward), seeds);
    EXPECT_EQ(gradients.weight(0, 0), 0.0F);
    EXPECT_FALSE(std::signbit(gradients.weight(0, 0)));
}

// The overshoot of a clamped soft-or is a constant, so what pushed it beyond 1 still learns.
TEST(GraphReasoner, AClampedSoftOrStillLearns) {
    Reasoned reasoned(":- neural(a). :- neural(b). :- pred(p). p :- a. p :- b.",
                      options_for(semantics_named("softor")));
    reasoned.run({{"a", 1.0F}, {"b", 0.9F}}, "p");
    EXPECT_EQ(reasoned.value("p"), 1.0F);
    const double sum = std::exp(10.0) + std::exp(9.0) - 1;
    EXPECT_NEAR(reasoned.input_gradient("a"), std::exp(10.0) / sum, 1e-5);
    EXPECT_NEAR(reasoned.input_gradient("b"), std::exp(9.0) / sum, 1e-5);
}

const char* const chain = ":- pred(a). :- pred(b). :- pred(c). 0.5::a. b :- a. 0.5::c :- b.";

TEST(GraphReasoner, AStepIsARuleFurther) {
    const std::vector<std::vector<float>> expected = {{0.5F, 0, 0}, {0.5F, 0.5F, 0}, {0.5F, 0.5F, 0.25F}};
    for (std::uint32_t steps = 0; steps < 3; ++steps) {
        Reasoned reasoned(chain, options_for(semantics_named("max-product"), steps));
        reasoned.run({}, "c");
        EXPECT_EQ(reasoned.value("a"), expected[steps][0]);
        EXPECT_EQ(reasoned.value("b"), expected[steps][1]);
        EXPECT_EQ(reasoned.value("c"), expected[steps][2]);
    }
}

TEST(GraphReasoner, AnInputTakesTheFactsPlaceAndTheLastOneCounts) {
    Reasoned reasoned(chain, options_for(semantics_named("max-product"), {}));
    InputBatch::Builder inputs(2);
    inputs.add(0, reasoned.atom("a"), 0.125F);
    inputs.add(0, reasoned.atom("a"), 0.75F);
    const Pass run = reasoned.forward(inputs.build());
    std::vector<float> initial(3);
    run.initials(0, initial);
    EXPECT_EQ(initial[reasoned.atom("a")], 0.75F);
    EXPECT_EQ(run.value(reasoned.atom("c"), 0), 0.375F);
    EXPECT_EQ(run.value(reasoned.atom("c"), 1), 0.25F);
    EXPECT_EQ(run.steps(0), 2U);
}

TEST(GraphReasoner, WeightsCanBeSetAnew) {
    Reasoned reasoned(chain, options_for(semantics_named("max-product"), {}));
    reasoned.run({}, "c");
    EXPECT_EQ(reasoned.value("c"), 0.25F);
    reasoned.set_weights({1, 1});
    reasoned.run({}, "c");
    EXPECT_EQ(reasoned.value("c"), 0.5F);
    reasoned.set_weights({0.5, 0});
    reasoned.run({}, "c");
    EXPECT_EQ(reasoned.value("b"), 0.25F);
    EXPECT_EQ(reasoned.value("c"), 0.0F);
    EXPECT_EQ(reasoned.weight_gradient(1), 0.25F) << "a weight of 0 can still learn";
}

TEST(GraphReasoner, WeightGradientsAreSummedOverExamples) {
    Reasoned reasoned(":- neural(a). :- pred(p). 0.5::p :- a.", options_for(semantics_named("max-product")));
    InputBatch::Builder inputs(20);
    InputBatch::Builder seeds(20);
    for (std::size_t e = 0; e < 20; ++e) {
        inputs.add(e, reasoned.atom("a"), e % 2 == 0 ? 0.25F : 0.5F);
        seeds.add(e, reasoned.atom("p"), 1.0F);
        seeds.add(e, reasoned.atom("p"), 1.0F);  // gradients of one atom add up
    }
    const Pass run = reasoned.forward(inputs.build(), Keep::Backward);
    const AllGradients gradients = reasoned.backward(run, seeds.build());
    EXPECT_EQ(gradients.weight(0, 18), 0.5F);
    EXPECT_EQ(gradients.weight(0, 19), 1.0F);
    EXPECT_EQ(gradients.weight_sum(0), 15.0);
}

TEST(GraphReasoner, HistoryAnswersForAnyAtomsInAnyOrder) {
    Reasoned reasoned(chain, options_for(semantics_named("max-product"), 3));
    const std::vector<std::uint32_t> atoms = {reasoned.atom("c"), reasoned.atom("a"), reasoned.atom("c")};
    const std::vector<std::vector<float>> expected = {
        {0, 0.5F, 0}, {0, 0.5F, 0}, {0.25F, 0.5F, 0.25F}, {0.25F, 0.5F, 0.25F}};
    EXPECT_EQ(reasoned.forward(InputBatch(1), Keep::History).history<float>(0, atoms), expected);
}

template <class Call>
std::string error_of(Call&& call) {
    try {
        call();
    } catch (const ReasonError& error) {
        return error.what();
    }
    return "";
}

void expect_error(const std::string& error, const std::vector<std::string>& parts) {
    EXPECT_FALSE(error.empty()) << "nothing was refused";
    for (const std::string& part : parts) EXPECT_NE(error.find(part), std::string::npos) << error << " lacks " << part;
}

// Each engine that can say what it needs refuses before it allocates, and what it allows stays within the limit.
TEST(GraphReasonerErrors, MoreMemoryThanAllowed) {
    constexpr std::uint64_t kib = 1024;
    for (const char* engine : {"tile", "reference"}) {
        SCOPED_TRACE(engine);
        const GroundedText grounded = ground_text(chain, {.mode = GroundMode::Full});
        ReasonOptions options = options_for(semantics_named("softor"), 2);
        options.memory_limit = 64 * kib;
        const auto reasoner = make_reasoner(engine, grounded.ground.graph, options);
        const Pass small = reasoner->forward(InputBatch(16), reasoner->own_weights());
        EXPECT_LE(small.bytes() + reasoner->bytes() + grounded.ground.graph.bytes(), options.memory_limit);
        expect_error(error_of([&] { reasoner->forward(InputBatch(100'000), reasoner->own_weights()); }),
                     {"100000 examples", "MiB", "the memory limit is 64.0 KiB"});
        options.memory_limit = 0;
        const auto unlimited = make_reasoner(engine, grounded.ground.graph, options);
        EXPECT_EQ(unlimited->forward(InputBatch(2000), unlimited->own_weights()).examples(), 2000U);
    }
}

TEST(GraphReasonerErrors, AHistoryThatIsTooLong) {
    Reasoned reasoned("0.5::p :- q. 0.9::q :- p. :- neural(a). :- pred(p). :- pred(q). p :- a.", [] {
        ReasonOptions options = options_for(semantics_named("max-product"), 100'000);
        options.memory_limit = 1024 * 1024;
        return options;
    }());
    EXPECT_EQ(reasoned.forward(InputBatch(1)).examples(), 1U);
    expect_error(error_of([&] { reasoned.forward(InputBatch(1), Keep::History); }), {"1 example at a time", "1.0 MiB"});
}

TEST(GraphReasonerErrors, ValuesThatAreNoProbabilities) {
    Reasoned reasoned(chain);
    Pass run = reasoned.forward(InputBatch(1));
    const float before = run.value(reasoned.atom("c"), 0);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (const float value : {-0.25F, 1.5F, std::nextafter(1.0F, 2.0F), infinity, -infinity, std::nanf("")}) {
        InputBatch::Builder inputs(4);
        inputs.add(3, 1, value);
        expect_error(error_of([&] { reasoned->forward(inputs.build(), reasoned->own_weights(), {}, std::move(run)); }),
                     {fmt::format("{}", value), "atom 1", "example 3"});
    }
    EXPECT_EQ(run.examples(), 1U) << "a refused call leaves the pass as it was";
    EXPECT_EQ(run.value(reasoned.atom("c"), 0), before);
}

TEST(GraphReasonerErrors, Weights) {
    Reasoned reasoned(chain);
    const auto error_with = [&](const std::vector<double>& weights) {
        return error_of([&] { reasoned->forward(InputBatch(1), weights); });
    };
    expect_error(error_with({0.5}), {"1", "2"});
    expect_error(error_with({1, 0.5, 1}), {"3", "2"});
    expect_error(error_with({0.5, 1.25}), {"1.25", "clause 1"});
    expect_error(error_with({-0.5, 1}), {"-0.5", "clause 0"});
    expect_error(error_with({std::nan(""), 1}), {"clause 0"});
}

TEST(GraphReasonerErrors, Options) {
    const auto error_with = [](auto&& change) {
        ReasonOptions options;
        change(options);
        return error_of([&] { Reasoned(chain, options); });
    };
    for (const double gamma : {0.0, 0.9e-4, 10.1, -0.01, std::nan(""), std::numeric_limits<double>::infinity()})
        expect_error(error_with([&](ReasonOptions& options) { options.gamma = gamma; }), {"gamma"});
    for (const double gamma : {least_gamma, largest_gamma})
        EXPECT_EQ(error_with([&](ReasonOptions& options) { options.gamma = gamma; }), "");
    expect_error(error_with([](ReasonOptions& options) { options.semantics = semantics_named("paper"); }), {"steps"});
    expect_error(error_with([](ReasonOptions& options) { options.kernel = "mmx"; }), {"mmx", "baseline"});
    EXPECT_EQ(error_with([](ReasonOptions& options) { options.kernel = "baseline"; }), "");
    EXPECT_EQ(error_with([](ReasonOptions& options) { options.threads = 0; }), "") << "as good as one";
}

}  // namespace
}  // namespace neumann
