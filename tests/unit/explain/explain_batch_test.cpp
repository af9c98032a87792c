// An explanation depends on its example alone, to the last byte.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "oracle/every_semantics.h"
#include "report/explanation_output.h"
#include "unit/explained_text.h"

namespace neumann {
namespace {

constexpr std::uint64_t seed = 20260;
constexpr std::size_t examples = 40;  // more than two tiles

// Cyclic, with rivals, facts and weights.
constexpr const char* program = ":- type(object, [obj0, obj1, obj2]).\n:- type(color, [red, blue, green]).\n"
                                ":- pred(near(object, object)).\n:- pred(kp).\n"
                                ":- neural(color(object, color)).\n:- neural(touches(object, object)).\n"
                                "0.8::near(X, Y) :- touches(X, Y).\nnear(X, Z) :- near(X, Y), near(Y, Z).\n"
                                "0.9::near(X, Y) :- near(Y, X).\n"
                                "kp :- color(A, red), color(B, blue), near(A, B).\n0.6::kp :- color(A, green).\n"
                                ":- query(kp).\n";

std::vector<Inputs> random_examples() {
    Rng rng(seed);
    std::vector<Inputs> result(examples);
    for (Inputs& inputs : result) {
        for (int a = 0; a < 3; ++a) {
            for (const char* color : {"red", "blue", "green"}) {
                const double value = rng.chance(0.3) ? 0.95 : rng.uniform() / 2;
                inputs.emplace_back(fmt::format("color(obj{},{})", a, color), static_cast<float>(value));
            }
            for (int b = 0; b < 3; ++b) {
                const double value = rng.chance(0.3) ? 0.0 : rng.uniform();
                inputs.emplace_back(fmt::format("touches(obj{},obj{})", a, b), static_cast<float>(value));
            }
        }
    }
    return result;
}

class ExplainBatch : public testing::TestWithParam<Semantics> {};
INSTANTIATE_TEST_SUITE_P(Every, ExplainBatch, oracle::every_semantics(), oracle::semantics_name);

TEST_P(ExplainBatch, NeighboursAndThreadsMakeNoDifference) {
    fmt::print("seed {}\n", seed);
    const std::vector<Inputs> all = random_examples();
    ExplainOptions options;
    options.proofs = 3;
    options.why_not = ExplainOptions::WhyNot::Always;
    options.leave_one_out = true;
    options.history = true;
    ReasonOptions reasoning;
    reasoning.semantics = GetParam();
    if (info(GetParam()).needs_steps) reasoning.steps = 4;

    ExplainedText one_by_one(program, options, reasoning);
    std::vector<std::string> alone;
    std::size_t different = 0;
    for (const Inputs& inputs : all) {
        alone.push_back(to_json(one_by_one.explain("kp", inputs)));
        different += alone.back() != alone.front() ? 1 : 0;
    }
    EXPECT_EQ(different, examples - 1);
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        reasoning.threads = threads;
        ExplainedText together(program, options, reasoning);
        const std::vector<Explanation> explanations = together.explain_all("kp", all);
        for (std::size_t e = 0; e < examples; ++e)
            ASSERT_EQ(to_json(explanations[e]), alone[e]) << threads << " threads, example " << e;
    }
}

}  // namespace
}  // namespace neumann
