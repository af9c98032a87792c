// Explanations from run to words: origins, places, objects, histories, cycles and depth.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/explanation_output.h"
#include "unit/explained_text.h"

namespace neumann {
namespace {

using Origin = ExplainedStep::Origin;
using Texts = std::vector<std::string>;

const ExplainedStep& step_of(const ExplainedProof& proof, const std::string& atom) {
    static const ExplainedStep none;
    const auto found = std::ranges::find(proof.steps, atom, &ExplainedStep::atom);
    EXPECT_NE(found, proof.steps.end()) << atom;
    return found == proof.steps.end() ? none : *found;
}

constexpr const char* mixed = ":- type(object, [obj0, obj1]).\n"          // 1
                              ":- type(color, [red, blue]).\n"            // 2
                              ":- neural(color(object, color)).\n"        // 3
                              ":- pred(likes(color)).\n"                  // 4
                              ":- pred(nice(object)).\n"                  // 5
                              "likes(blue).\n"                            // 6
                              "0.8::likes(red).\n"                        // 7
                              "0.9::nice(O) :- color(O, C), likes(C).\n"  // 8
                              ":- query(nice(_)).\n"                      // 9
                              ":- say(nice(O), '{O} is a nice one').\n";

TEST(Explainer, TellsRuleFactAndExampleApart) {
    ExplainedText text(mixed);
    const Explanation e = text.explain("nice(obj1)", {{"color(obj1,red)", 0.75F}, {"color(obj1,blue)", 0.25F}});
    EXPECT_EQ(e.atom, "nice(obj1)");
    EXPECT_EQ(e.sentence, "obj1 is a nice one");
    EXPECT_NEAR(e.value, 0.9 * 0.75 * 0.8, 1e-6);
    EXPECT_TRUE(e.exact);
    EXPECT_EQ(e.semantics, "max-product");
    EXPECT_FALSE(e.gamma);
    EXPECT_TRUE(e.holds());
    ASSERT_EQ(e.proofs.size(), 1U);
    const ExplainedStep& head = e.proofs[0].steps.at(0);
    EXPECT_EQ(head.origin, Origin::Rule);
    EXPECT_EQ(head.file, "test.nm");
    EXPECT_EQ(head.line, 8U);
    EXPECT_NEAR(head.weight, 0.9, 1e-6);
    EXPECT_NEAR(head.share, 1, 1e-6);
    EXPECT_EQ(head.substitution, (std::vector<std::pair<std::string, std::string>>{{"O", "obj1"}, {"C", "red"}}));
    ASSERT_EQ(head.premises.size(), 2U);
    EXPECT_EQ(e.proofs[0].steps.at(head.premises[0]).atom, "color(obj1,red)");
    EXPECT_EQ(e.proofs[0].steps.at(head.premises[1]).atom, "likes(red)");
    const ExplainedStep& seen = step_of(e.proofs[0], "color(obj1,red)");
    EXPECT_EQ(seen.origin, Origin::Example);
    EXPECT_TRUE(seen.file.empty());
    EXPECT_NEAR(seen.gradient, 0.9 * 0.8, 1e-6);
    const ExplainedStep& fact = step_of(e.proofs[0], "likes(red)");
    EXPECT_EQ(fact.origin, Origin::Fact);
    EXPECT_EQ(fact.file, "test.nm");
    EXPECT_EQ(fact.line, 7U);
    EXPECT_NEAR(fact.value, 0.8, 1e-6);
    ASSERT_EQ(e.clauses.size(), 1U);
    EXPECT_TRUE(e.clauses[0].used);
    EXPECT_NEAR(e.clauses[0].share, 1, 1e-9);
    // Of two inputs with equal shares the one with the larger gradient comes first.
    ASSERT_EQ(e.inputs.size(), 2U);
    EXPECT_EQ(e.inputs[0].atom, "color(obj1,red)");
    EXPECT_NEAR(e.inputs[0].share, 0.5, 1e-5);
    EXPECT_EQ(e.inputs[1].origin, Origin::Fact);
}

TEST(Explainer, WhatNeuralPredicatesSayMayComeFromPictures) {
    ExplainOptions options;
    options.in_pictures = true;
    ExplainedText text(mixed, options);
    const Explanation e = text.explain("nice(obj0)", {{"color(obj0,blue)", 0.9F}});
    EXPECT_EQ(step_of(e.proofs.at(0), "color(obj0,blue)").origin, Origin::Picture);
    EXPECT_EQ(step_of(e.proofs.at(0), "likes(blue)").origin, Origin::Fact);
    EXPECT_EQ(step_of(e.proofs.at(0), "likes(blue)").line, 6U);
}

TEST(Explainer, WeighsObjectsByTheirLargestGradient) {
    ExplainedText text(mixed);
    const Explanation e = text.explain(
        "nice(obj1)", {{"color(obj0,red)", 0.6F}, {"color(obj1,red)", 0.75F}, {"color(obj1,blue)", 0.25F}});
    ASSERT_EQ(e.objects.size(), 2U);
    EXPECT_EQ(e.objects[0].name, "obj0");
    EXPECT_EQ(e.objects[0].weight, 0);
    EXPECT_EQ(e.objects[0].atoms.size(), 1U);
    EXPECT_EQ(e.objects[1].name, "obj1");
    EXPECT_EQ(e.objects[1].row, 1U);
    EXPECT_EQ(e.objects[1].atom, "color(obj1,red)");
    EXPECT_NEAR(e.objects[1].weight, 0.9 * 0.8, 1e-6);
    ASSERT_EQ(e.objects[1].atoms.size(), 2U);
    EXPECT_EQ(e.objects[1].atoms[0].first, "color(obj1,red)");
    EXPECT_EQ(e.objects[1].atoms[1].first, "color(obj1,blue)");
}

constexpr const char* roads =
    ":- type(town, [a, b, c, d]).\n:- pred(edge(town, town)).\n:- pred(path(town, town)).\n"
    "0.9::edge(a, b).\n0.8::edge(b, a).\n0.7::edge(b, c).\n0.6::edge(c, b).\n"
    "0.5::edge(c, d).\n0.2::edge(a, d).\n"
    "path(X, Y) :- edge(X, Y).\npath(X, Z) :- path(X, Y), path(Y, Z).\n:- query(path(_, _)).\n";

// No atom above itself: following premises from any step ends.
void expect_no_cycles(const ExplainedProof& proof) {
    std::vector<int> state(proof.steps.size());  // 1: above, 2: done
    std::vector<std::pair<std::uint32_t, std::size_t>> open{{0, 0}};
    std::multiset<std::string> above{proof.steps[0].atom};
    state[0] = 1;
    while (!open.empty()) {
        auto& [step, next] = open.back();
        if (next == proof.steps[step].premises.size()) {
            state[step] = 2;
            above.erase(above.find(proof.steps[step].atom));
            open.pop_back();
            continue;
        }
        const std::uint32_t premise = proof.steps[step].premises[next++];
        ASSERT_LT(premise, proof.steps.size());
        ASSERT_NE(state[premise], 1) << "a step rests on itself";
        ASSERT_FALSE(above.contains(proof.steps[premise].atom)) << proof.steps[premise].atom << " stands above itself";
        if (state[premise] == 2) continue;
        state[premise] = 1;
        above.insert(proof.steps[premise].atom);
        open.emplace_back(premise, 0);
    }
}

TEST(Explainer, ProvesThroughCycles) {
    ExplainOptions options;
    options.proofs = 4;
    for (const Semantics semantics :
         {semantics_named("max-product"), semantics_named("softor"), semantics_named("noisy-or")}) {
        ReasonOptions reasoning;
        reasoning.semantics = semantics;
        ExplainedText text(roads, options, reasoning);
        const Explanation e = text.explain("path(a,d)");
        ASSERT_GE(e.proofs.size(), 2U);
        EXPECT_NEAR(e.proofs[0].value, 0.9 * 0.7 * 0.5, 1e-6);
        for (const ExplainedProof& proof : e.proofs) expect_no_cycles(proof);
        EXPECT_NEAR(e.proofs.back().value, 0.2, 1e-6);  // the direct road is the last resort
        EXPECT_FALSE(e.more_proofs);
        // a b c d can be put together in two ways; an OR that adds up may stop before it has found the second.
        EXPECT_LE(e.proofs.size(), 3U);
        if (info(semantics).idempotent_or) {
            EXPECT_EQ(e.proofs.size(), 3U);
        }
    }
}

TEST(Explainer, CyclesWithoutABottomProveNothing) {
    ExplainedText text(":- neural(x).\n:- pred(p).\n:- pred(q).\np :- q.\nq :- p.\np :- x.\n:- query(p).\n");
    const Explanation e = text.explain("p", {{"x", 0.0F}});
    EXPECT_EQ(e.value, 0);
    EXPECT_TRUE(e.proofs.empty());
    ASSERT_TRUE(e.why_not);
    ASSERT_EQ(e.why_not->nearest.size(), 1U);
    EXPECT_EQ(e.why_not->nearest[0].failures.at(0).atom, "x");
}

TEST(Explainer, KeepsTheHistoryOfTheProof) {
    ExplainOptions options;
    options.history = true;
    ReasonOptions reasoning = ExplainedText::max_product();
    reasoning.steps = 3;
    ExplainedText text(":- pred(p).\n:- pred(q).\n:- pred(r).\n:- pred(s).\n0.9::s.\n0.5::r :- s.\nq :- r.\np :- q.\n"
                       ":- query(p).\n",
                       options, reasoning);
    const Explanation e = text.explain("p");
    EXPECT_EQ(e.steps, 3U);
    const Explanation::History& history = e.history;
    ASSERT_EQ(history.steps.size(), 4U);
    EXPECT_EQ(std::set<std::string>(history.atoms.begin(), history.atoms.end()),
              (std::set<std::string>{"p", "q", "r", "s"}));
    const auto values = [&](const std::string& atom) {
        const auto place = std::ranges::find(history.atoms, atom) - history.atoms.begin();
        std::vector<std::string> found;
        for (const std::vector<double>& step : history.steps)
            found.push_back(fmt::format("{:.2f}", step.at(static_cast<std::size_t>(place))));
        return found;
    };
    EXPECT_EQ(values("s"), (Texts{"0.90", "0.90", "0.90", "0.90"}));
    EXPECT_EQ(values("r"), (Texts{"0.00", "0.45", "0.45", "0.45"}));
    EXPECT_EQ(values("q"), (Texts{"0.00", "0.00", "0.45", "0.45"}));
    EXPECT_EQ(values("p"), (Texts{"0.00", "0.00", "0.00", "0.45"}));
    EXPECT_TRUE(ExplainedText(mixed).explain("nice(obj0)").history.steps.empty());
}

TEST(Explainer, FewStepsProveLittle) {
    ReasonOptions reasoning = ExplainedText::max_product();
    reasoning.steps = 1;
    ExplainedText text(":- pred(p).\n:- pred(q).\n:- pred(r).\nr.\nq :- r.\np :- q.\n:- query(p).\n:- query(q).\n", {},
                       reasoning);
    EXPECT_EQ(text.explain("q").proofs.size(), 1U);
    const Explanation e = text.explain("p");
    EXPECT_EQ(e.value, 0);
    EXPECT_TRUE(e.proofs.empty());
    EXPECT_TRUE(e.why_not);
}

// A product of many small numbers has gradients that are nothing but rounding.
TEST(Explainer, GradientsThatAreNothingAreZero) {
    std::string text = ":- pred(p).\n";
    std::string body;
    Inputs inputs;
    for (int i = 0; i < 8; ++i) {
        const std::string name = "a" + std::to_string(i);
        text += ":- neural(" + name + ").\n";
        body += (i == 0 ? "" : ", ") + name;
        inputs.emplace_back(name, 1e-4F);
    }
    ExplainedText explained(text + "p :- " + body + ".\n:- query(p).\n");
    const Explanation explanation = explained.explain("p", inputs);
    for (const ExplainedInput& input : explanation.inputs) EXPECT_EQ(input.gradient, 0) << input.atom;
    for (const ExplainedObject& object : explanation.objects) EXPECT_EQ(object.weight, 0);
}

TEST(Explainer, LeavesOutOneByOne) {
    ExplainOptions options;
    options.leave_one_out = true;
    ExplainedText text(":- pred(rain).\n:- pred(sprinkler).\n:- pred(wet).\n0.7::rain.\n0.5::sprinkler.\n"
                       "wet :- rain.\n0.9::wet :- sprinkler.\n:- query(wet).\n",
                       options);
    const Explanation e = text.explain("wet");
    ASSERT_EQ(e.inputs.size(), 1U);
    EXPECT_EQ(e.inputs[0].atom, "rain");
    EXPECT_NEAR(e.inputs[0].without.value(), 0.45, 1e-6);
    EXPECT_NEAR(e.clauses.at(0).without.value(), 0.45, 1e-6);
    EXPECT_FALSE(e.clauses.at(1).without) << "it has no share";
    // The reasoner is as it was.
    EXPECT_NEAR(text.explain("wet").value, 0.7, 1e-6);
}

TEST(Explainer, FarDownIsNoDeeperThanNear) {
    constexpr std::size_t steps = 3000;
    std::string program = fmt::format(":- type(place, [{}]).\n:- pred(next(place, place)).\n:- pred(reach(place)).\n"
                                      "reach(o0).\nreach(Y) :- reach(X), next(X, Y).\n:- query(reach(o{})).\n",
                                      many_names(steps + 1), steps);
    for (std::size_t i = 0; i < steps; ++i) program += fmt::format("next(o{},o{}).\n", i, i + 1);
    for (const std::size_t proofs : {1, 2}) {
        ExplainOptions options;
        options.proofs = proofs;
        options.why_not = ExplainOptions::WhyNot::Always;
        ExplainedText text(program, options);
        const Explanation e = text.explain(fmt::format("reach(o{})", steps));
        EXPECT_NEAR(e.value, 1, 1e-6);
        ASSERT_EQ(e.proofs.size(), 1U);
        EXPECT_EQ(e.proofs[0].steps.size(), 2 * steps + 1);
        expect_no_cycles(e.proofs[0]);
        EXPECT_NE(to_json(e).find("reach(o1)"), std::string::npos);
        EXPECT_NE(to_dot(e).find("reach(o1)"), std::string::npos);
        EXPECT_FALSE(to_text(e, {}).empty());
    }
}

}  // namespace
}  // namespace neumann
