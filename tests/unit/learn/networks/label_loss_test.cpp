#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "compile/compile.h"
#include "learn/networks/label_loss.h"

namespace neumann {
namespace {

const std::string vocabulary = ":- type(object, [o0, o1, o2]).\n"
                               ":- type(color, [red, yellow, blue]).\n"
                               ":- type(shape, [square, circle, triangle]).\n"
                               ":- type(image, [img]).\n"
                               ":- pred(kp(image)).\n"
                               ":- pred(mark(object)).\n"
                               ":- neural(in(object, image)).\n"
                               ":- neural(color(object, color)).\n"
                               ":- neural(shape(object, shape)).\n"
                               ":- neural(left_of(object, object)).\n"
                               ":- neural(closeby(object, object)).\n"
                               ":- distinct(left_of/2).\n"
                               ":- distinct(closeby/2).\n";
const std::string label = ":- label(kp(img)).\n";

LoadedProgram compiled(const std::string& rules, const std::string& labels = label) {
    Diagnostics diagnostics;
    Program program = parse_program("test.nm", vocabulary + rules + labels, {}, diagnostics);
    CompileOptions options;
    options.queries = {"kp(img)"};
    options.with_levels = true;
    LoadedProgram result;
    EXPECT_TRUE(compile(std::move(program), options, diagnostics, result))
        << render(diagnostics, *result.compiled.program.sources);
    return result;
}

// Places are so close together that relations are neither certain nor impossible.
SeenObjects random_objects(std::size_t count, Rng& rng) {
    SeenObjects seen{&flat_layout(), std::vector<float>(count * flat_layout().columns), {}};
    for (float& value : seen.rows) value = static_cast<float>(0.1 + 0.8 * rng.uniform());
    for (std::size_t k = 0; k < count; ++k)
        for (const unsigned at : {column::x, column::y})
            seen.rows[k * flat_layout().columns + at] = static_cast<float>(0.4 + 0.15 * rng.uniform());
    return seen;
}

// The derivative by every number that was seen, against differences of the loss.
TEST(LabelLoss, GradientsFromTheLabelDownToTheRows) {
    constexpr std::uint64_t seed = 20260501;
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng(seed);
    const std::string rules[] = {
        "kp(X) :- in(O1,X), in(O2,X), color(O1,red), color(O2,blue), left_of(O1,O2).\n",
        "kp(X) :- in(O,X), mark(O).\n0.8::mark(O) :- color(O,red), shape(O,triangle).\n"
        "mark(O) :- color(O,yellow), closeby(O,P), shape(P,circle).\n",
    };
    constexpr float step = 2e-3F;
    for (const std::string& rule : rules) {
        for (const auto& [semantics, gamma] :
             {std::pair(semantics_named("noisy-or"), 0.01), std::pair(semantics_named("softor"), 0.1)}) {
            LoadedProgram loaded = compiled(rule);
            LabelLossOptions options;
            options.reason.semantics = semantics;
            options.reason.gamma = gamma;
            LabelLoss loss(loaded, flat_layout(), options);
            // Fewer objects than constants, as many, and more.
            std::vector<SeenObjects> pictures;
            for (const std::size_t count : {2, 3, 4, 0}) pictures.push_back(random_objects(count, rng));
            const std::vector<std::uint8_t> labels{1, 0, 1, 0};
            const LabelLoss::Outcome outcome = loss.compare(pictures, labels);
            ASSERT_EQ(outcome.gradients.size(), pictures.size());
            double largest = 0;
            for (std::size_t p = 0; p < pictures.size(); ++p) {
                ASSERT_EQ(outcome.gradients[p].size(), pictures[p].rows.size());
                for (std::size_t i = 0; i < pictures[p].rows.size(); ++i) {
                    const float before = pictures[p].rows[i];
                    const float up = before + step;
                    const float down = before - step;
                    pictures[p].rows[i] = up;
                    const double above = loss.compare(pictures, labels).loss;
                    pictures[p].rows[i] = down;
                    const double below = loss.compare(pictures, labels).loss;
                    pictures[p].rows[i] = before;
                    const double expected = (above - below) / (static_cast<double>(up) - static_cast<double>(down));
                    const auto found = static_cast<double>(outcome.gradients[p][i]);
                    EXPECT_NEAR(found, expected, 1e-3 + 0.02 * std::abs(expected))
                        << "picture " << p << ", number " << i << ", " << info(semantics).name << "\n"
                        << rule;
                    largest = std::max(largest, std::abs(found));
                }
            }
            EXPECT_GT(largest, 0.05);  // it was not a comparison of nothing with nothing
        }
    }
}

// By hand: one object, one rule, so that p is the product of presence and red.
TEST(LabelLoss, ClosedForm) {
    LoadedProgram loaded = compiled("kp(X) :- in(O,X), color(O,red).\n");
    LabelLossOptions options;
    options.reason.semantics = semantics_named("noisy-or");
    options.epsilon = 0.01;
    LabelLoss loss(loaded, flat_layout(), options);
    SeenObjects seen{&flat_layout(), std::vector<float>(flat_layout().columns), {}};
    const AttributeColumns& color = *flat_layout().find("color");
    unsigned red = color.first;
    while (color.values[red - color.first] != "red") ++red;
    seen.rows[column::presence] = 0.8F;
    seen.rows[red] = 0.5F;
    const double q = 0.01 + 0.98 * 0.4;
    for (const std::uint8_t positive : {0, 1}) {
        const std::vector<std::uint8_t> labels{positive};
        const LabelLoss::Outcome outcome = loss.compare({&seen, 1}, labels);
        EXPECT_NEAR(outcome.probabilities[0], 0.4, 1e-6);
        EXPECT_NEAR(outcome.loss, -std::log(positive == 1 ? q : 1 - q), 1e-5);
        const double by_p = 0.98 * (positive == 1 ? -1 / q : 1 / (1 - q));
        EXPECT_NEAR(static_cast<double>(outcome.gradients[0][red]), by_p * 0.8, 1e-5);
        EXPECT_NEAR(static_cast<double>(outcome.gradients[0][column::presence]), by_p * 0.5, 1e-5);
    }
}

TEST(LabelLoss, StaysFiniteWhereTheProgramIsCertainAndWrong) {
    LoadedProgram loaded = compiled("kp(X) :- in(O,X), color(O,red).\n");
    LabelLoss loss(loaded, flat_layout(), {});
    const SeenObjects nothing{&flat_layout(), {}, {}};
    const std::vector<std::uint8_t> labels{1};
    const LabelLoss::Outcome outcome = loss.compare({&nothing, 1}, labels);
    EXPECT_EQ(outcome.probabilities[0], 0);
    EXPECT_NEAR(outcome.loss, -std::log(LabelLossOptions().epsilon), 1e-4);
}

TEST(LabelLoss, WhatCannotBeLearnedFrom) {
    LoadedProgram no_label = compiled("kp(X) :- in(O,X).\n", "");
    EXPECT_THROW(LabelLoss(no_label, flat_layout(), {}), std::invalid_argument);
    LoadedProgram certain = compiled("kp(img).\n");
    EXPECT_THROW(LabelLoss(certain, flat_layout(), {}), std::invalid_argument);
    LoadedProgram good = compiled("kp(X) :- in(O,X).\n");
    LabelLoss loss(good, flat_layout(), {});
    const SeenObjects nothing{&flat_layout(), {}, {}};
    EXPECT_THROW(loss.compare({&nothing, 1}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace neumann
