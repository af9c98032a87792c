#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <neumann/perceive.h>

#include "base/rng.h"
#include "compile/atom_names.h"
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

// A program with its loss.
struct Learned {
    Learned(LoadedProgram program, const LabelLossOptions& options)
        : loaded(std::move(program)), names(loaded.compiled), declared(as_declared(loaded.compiled.program.signature)),
          loss(loaded, names, declared, flat_layout(), options) {}

    // Without the predicates that are given.
    static Signature as_declared(Signature signature) {
        if (const PredicateId given = signature.find_predicate("strict", 1); !given.is_none())
            signature.predicate(given).neural = false;
        return signature;
    }

    std::uint32_t atom(std::string_view text) { return names.find(text).number.value(); }

    LoadedProgram loaded;
    AtomNames names;
    Signature declared;
    LabelLoss loss;
};

AtomLabels label_of(double value) {
    return {.count = 1,
            .sum = value,
            .squares = value * value,
            .certain = value == 0 || value == 1 ? 1.0 : 0.0,
            .positive = value == 1 ? 1.0 : 0.0};
}

TrainingExample example_with(std::size_t images) {
    TrainingExample example;
    example.images.assign(images, "image.png");
    return example;
}

std::vector<const TrainingExample*> pointers_to(const std::vector<TrainingExample>& examples) {
    std::vector<const TrainingExample*> pointers;
    for (const TrainingExample& one : examples) pointers.push_back(&one);
    return pointers;
}

std::vector<TrainingExample> labelled(Learned& learned, const std::vector<double>& labels) {
    std::vector<TrainingExample> examples;
    for (const double value : labels) {
        examples.push_back(example_with(1));
        examples.back().atoms[learned.atom("kp(img)")] = label_of(value);
    }
    return examples;
}

// The derivative by every number that was seen, against differences of the loss. Returns the largest one.
double compare_with_differences(LabelLoss& loss, const std::vector<TrainingExample>& examples,
                                std::vector<SeenObjects>& seen) {
    constexpr float step = 2e-3F;
    const std::vector<const TrainingExample*> all = pointers_to(examples);
    const LabelLoss::Outcome outcome = loss.compare(all, seen);
    EXPECT_EQ(outcome.gradients.size(), seen.size());
    double largest = 0;
    for (std::size_t p = 0; p < seen.size(); ++p) {
        EXPECT_EQ(outcome.gradients[p].size(), seen[p].rows.size());
        for (std::size_t i = 0; i < seen[p].rows.size(); ++i) {
            const float before = seen[p].rows[i];
            const float up = before + step;
            const float down = before - step;
            seen[p].rows[i] = up;
            const double above = loss.compare(all, seen).loss;
            seen[p].rows[i] = down;
            const double below = loss.compare(all, seen).loss;
            seen[p].rows[i] = before;
            const double expected = (above - below) / (static_cast<double>(up) - static_cast<double>(down));
            const auto found = static_cast<double>(outcome.gradients[p][i]);
            EXPECT_NEAR(found, expected, 1e-3 + 0.02 * std::abs(expected)) << "image " << p << ", number " << i;
            largest = std::max(largest, std::abs(found));
        }
    }
    return largest;
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

TEST(LabelLoss, GradientsFromTheLabelDownToTheRows) {
    constexpr std::uint64_t seed = 20260501;
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng(seed);
    const std::string rules[] = {
        "kp(X) :- in(O1,X), in(O2,X), color(O1,red), color(O2,blue), left_of(O1,O2).\n",
        "kp(X) :- in(O,X), mark(O).\n0.8::mark(O) :- color(O,red), shape(O,triangle).\n"
        "mark(O) :- color(O,yellow), closeby(O,P), shape(P,circle).\n",
    };
    for (const std::string& rule : rules) {
        for (const auto& [semantics, gamma] :
             {std::pair(semantics_named("noisy-or"), 0.01), std::pair(semantics_named("softor"), 0.1)}) {
            SCOPED_TRACE(fmt::format("{}\n{}", info(semantics).name, rule));
            LabelLossOptions options;
            options.reason.semantics = semantics;
            options.reason.gamma = gamma;
            Learned learned(compiled(rule), options);
            // Fewer objects than constants, as many, and more.
            std::vector<SeenObjects> seen;
            for (const std::size_t count : {2, 3, 4, 0}) seen.push_back(random_objects(count, rng));
            const std::vector<TrainingExample> examples = labelled(learned, {1, 0, 1, 0});
            EXPECT_GT(compare_with_differences(learned.loss, examples, seen), 0.05) << "nothing was compared";
        }
    }
}

constexpr const char* pairs = ":- type(first, [a0, a1]). :- type(second, [b0, b1]).\n"
                              ":- type(color, [red, yellow, blue]). :- type(mode, [m]).\n"
                              ":- pred(strict(mode)). :- pred(same). :- pred(answer(color)).\n"
                              ":- neural(color_img1(first, color)). :- neural(color_img2(second, color)).\n"
                              "0.4::strict(m).\n"
                              "same :- color_img1(a0,C), color_img2(b0,C), strict(m).\n"
                              "0.5::same :- color_img1(a1,C), color_img2(b1,C).\n"
                              "answer(C) :- color_img1(a0,C), color_img2(b1,C).\n"
                              "query(same). query(answer(X)).\n";

LoadedProgram compiled_pairs() {
    Diagnostics diagnostics;
    Program program = parse_program("pairs.nm", pairs, {}, diagnostics);
    CompileOptions options;
    options.with_levels = true;
    options.inputs = {"strict/1"};
    LoadedProgram result;
    EXPECT_TRUE(compile(std::move(program), options, diagnostics, result))
        << render(diagnostics, *result.compiled.program.sources);
    return result;
}

// Two images in an example, targets that are probabilities, an answer, and a value that is given beside the images.
TEST(LabelLoss, SeveralImagesAndTargetsOfEveryKind) {
    constexpr std::uint64_t seed = 20261120;
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng(seed);
    LabelLossOptions options;
    options.reason.semantics = semantics_named("noisy-or");
    Learned learned(compiled_pairs(), options);
    std::vector<TrainingExample> examples;
    std::vector<SeenObjects> seen;
    for (const double target : {1.0, 0.0, 0.3}) {
        examples.push_back(example_with(2));
        examples.back().atoms[learned.atom("same")] = label_of(target);
        for (int k = 0; k < 2; ++k) seen.push_back(random_objects(2, rng));
    }
    ClassLabels answer;
    for (const char* color : {"red", "yellow", "blue"})
        answer.atoms.push_back(learned.atom(fmt::format("answer({})", color)));
    answer.all = 1;
    answer.count[answer.atoms[2]] = 1;
    examples[1].classes[answer.atoms.front()] = answer;
    examples[0].given = {{learned.atom("strict(m)"), 0.9F}};
    EXPECT_GT(compare_with_differences(learned.loss, examples, seen), 0.05) << "nothing was compared";
    EXPECT_EQ(learned.loss.compare(pointers_to(examples), seen).certain, 3) << "a probability is neither";
    EXPECT_THROW(learned.loss.compare(pointers_to(examples), std::span(seen).first(5)), std::invalid_argument);
    // A given value takes the place of one that is seen: nothing goes back to it.
    std::vector<TrainingExample> one = {examples[2]};
    for (const char* color : {"red", "yellow", "blue"}) {
        for (const char* object : {"a0", "a1"})
            one[0].given.push_back({learned.atom(fmt::format("color_img1({},{})", object, color)), 0.5F});
    }
    const LabelLoss::Outcome outcome = learned.loss.compare(pointers_to(one), std::span(seen).last(2));
    EXPECT_EQ(outcome.gradients[0], std::vector<float>(seen[4].rows.size()));
    EXPECT_NE(outcome.gradients[1], std::vector<float>(seen[5].rows.size()));
}

// By hand: one object, one rule, so that p is the product of presence and red.
TEST(LabelLoss, ClosedForm) {
    LabelLossOptions options;
    options.reason.semantics = semantics_named("noisy-or");
    options.epsilon = 0.01;
    Learned learned(compiled("kp(X) :- in(O,X), color(O,red).\n"), options);
    SeenObjects seen{&flat_layout(), std::vector<float>(flat_layout().columns), {}};
    const AttributeColumns& color = *flat_layout().find("color");
    unsigned red = color.first;
    while (color.values[red - color.first] != "red") ++red;
    seen.rows[column::presence] = 0.8F;
    seen.rows[red] = 0.5F;
    const double q = 0.01 + 0.98 * 0.4;
    for (const double positive : {0.0, 1.0}) {
        const std::vector<TrainingExample> examples = labelled(learned, {positive});
        const LabelLoss::Outcome outcome = learned.loss.compare(pointers_to(examples), {&seen, 1});
        EXPECT_EQ(outcome.right, positive == 0 ? 1 : 0) << "0.4 is no";
        EXPECT_NEAR(outcome.loss, -std::log(positive == 1 ? q : 1 - q), 1e-5);
        const double by_p = 0.98 * (positive == 1 ? -1 / q : 1 / (1 - q));
        EXPECT_NEAR(static_cast<double>(outcome.gradients[0][red]), by_p * 0.8, 1e-5);
        EXPECT_NEAR(static_cast<double>(outcome.gradients[0][column::presence]), by_p * 0.5, 1e-5);
    }
}

TEST(LabelLoss, StaysFiniteWhereTheProgramIsCertainAndWrong) {
    Learned learned(compiled("kp(X) :- in(O,X), color(O,red).\n"), {});
    const SeenObjects nothing{&flat_layout(), {}, {}};
    const std::vector<TrainingExample> examples = labelled(learned, {1});
    const LabelLoss::Outcome outcome = learned.loss.compare(pointers_to(examples), {&nothing, 1});
    EXPECT_EQ(outcome.right, 0);
    EXPECT_NEAR(outcome.loss, -std::log(LabelLossOptions().epsilon), 1e-4);
}

TEST(LabelLoss, WhatCannotBeLearnedFrom) {
    EXPECT_THROW(Learned(compiled("kp(img).\n"), {}), std::invalid_argument);
    Learned good(compiled("kp(X) :- in(O,X).\n"), {});
    const std::vector<TrainingExample> examples = labelled(good, {1});
    EXPECT_THROW(good.loss.compare(pointers_to(examples), {}), std::invalid_argument);
    std::vector<TrainingExample> asked = examples;
    asked[0].query = "colour(o0,red)";
    const SeenObjects nothing{&flat_layout(), {}, {}};
    EXPECT_THROW(good.loss.compare(pointers_to(asked), {&nothing, 1}), PerceptionError);
}

}  // namespace
}  // namespace neumann
