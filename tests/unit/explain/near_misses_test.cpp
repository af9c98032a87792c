// Why not: who is to blame.
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/explained_text.h"

namespace neumann {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* scene = ":- type(object, [obj0, obj1]).\n"
                              ":- type(color, [red, blue, green]).\n"
                              ":- type(shape, [cube, cylinder, sphere]).\n"
                              ":- type(image, [img]).\n"
                              ":- pred(kp(image)).\n"
                              ":- neural(in(object, image)).\n"
                              ":- neural(color(object, color)).\n"
                              ":- neural(shape(object, shape)).\n";
constexpr const char* red_cube = "kp(X) :- in(O, X), color(O, red), shape(O, cube).\n:- query(kp(img)).\n";

// All that is said of both objects, so that nothing is missing by accident.
Inputs scene_of(const Inputs& changes) {
    Inputs inputs = {{"in(obj0,img)", 0.99F},    {"in(obj1,img)", 0.99F},     {"color(obj0,red)", 0.02F},
                     {"color(obj1,red)", 0.02F}, {"shape(obj0,cube)", 0.02F}, {"shape(obj1,cube)", 0.02F}};
    inputs.insert(inputs.end(), changes.begin(), changes.end());  // the last value of an atom counts
    return inputs;
}

Texts failures_of(const NearMiss& miss) {
    Texts texts;
    for (const Failure& failure : miss.failures) texts.push_back(failure.atom);
    return texts;
}
const std::vector<NearMiss>& nearest(const Explanation& explanation) {
    EXPECT_TRUE(explanation.why_not);
    return explanation.why_not->nearest;
}
// "a b | c": what failed, near miss by near miss.
std::string blamed(const Explanation& explanation) {
    Texts texts;
    for (const NearMiss& miss : nearest(explanation))
        texts.push_back(fmt::format("{}", fmt::join(failures_of(miss), " ")));
    return fmt::format("{}", fmt::join(texts, " | "));
}

// Enough, and nearly the least that is.
void expect_needed(const Failure& failure, double least) {
    ASSERT_TRUE(failure.needed);
    EXPECT_GE(*failure.needed, least - 1e-6);
    EXPECT_LT(*failure.needed, least + 0.02);
}

TEST(NearMisses, BlameTheOneWrongAttribute) {
    ExplainedText text(std::string(scene) + red_cube, {}, ExplainedText::max_product(), GroundMode::Full);
    const Explanation explanation = text.explain(
        "kp(img)", scene_of({{"color(obj0,red)", 0.9F}, {"shape(obj0,cube)", 0.08F}, {"shape(obj0,cylinder)", 0.9F}}));
    ASSERT_FALSE(nearest(explanation).empty());
    EXPECT_EQ(failures_of(nearest(explanation)[0]), (Texts{"shape(obj0,cube)"}));
    const Failure& failure = nearest(explanation)[0].failures[0];
    EXPECT_NEAR(failure.value, 0.08, 1e-6);
    EXPECT_EQ(failure.instead, "shape(obj0,cylinder)");
    EXPECT_NEAR(failure.instead_value, 0.9, 1e-6);
    EXPECT_NEAR(failure.gradient, 0.9 * 0.99, 1e-5);
    ASSERT_TRUE(failure.if_true);
    EXPECT_NEAR(*failure.if_true, 0.9 * 0.99, 1e-5);
    expect_needed(failure, 0.5 / (0.9 * 0.99));
    EXPECT_NEAR(nearest(explanation)[0].proof.value, 0.99 * 0.9 * 0.08, 1e-5);
}

TEST(NearMisses, BlameAnAttributeThatWasACloseCall) {
    ExplainedText text(std::string(scene) + red_cube, {}, ExplainedText::max_product(), GroundMode::Full);
    const Explanation explanation = text.explain(
        "kp(img)", scene_of({{"color(obj1,red)", 0.97F}, {"shape(obj1,cube)", 0.4F}, {"shape(obj1,cylinder)", 0.55F}}));
    EXPECT_EQ(failures_of(nearest(explanation).at(0)), (Texts{"shape(obj1,cube)"}));
    EXPECT_EQ(nearest(explanation)[0].failures[0].instead, "shape(obj1,cylinder)");
}

TEST(NearMisses, AreFoundUnderEverySemantics) {
    for (const SemanticsInfo& semantics : all_semantics()) {
        ReasonOptions reasoning;
        reasoning.semantics = semantics.semantics;
        if (semantics.needs_steps) reasoning.steps = 3;
        ExplainedText text(std::string(scene) + red_cube, {}, reasoning);
        const Explanation explanation =
            text.explain("kp(img)", scene_of({{"color(obj0,red)", 0.9F}, {"shape(obj0,cube)", 0.08F}}));
        EXPECT_EQ(failures_of(nearest(explanation).at(0)), (Texts{"shape(obj0,cube)"})) << semantics.name;
    }
}

TEST(NearMisses, TheMostToBlameComesFirst) {
    ExplainedText text(std::string(scene) + red_cube);
    const Explanation explanation =
        text.explain("kp(img)", scene_of({{"color(obj0,red)", 0.3F}, {"shape(obj0,cube)", 0.1F}}));
    EXPECT_EQ(failures_of(nearest(explanation).at(0)), (Texts{"shape(obj0,cube)", "color(obj0,red)"}));
    const NearMiss& miss = nearest(explanation)[0];
    EXPECT_NEAR(miss.if_true.value(), 0.99, 1e-5);
    EXPECT_NEAR(miss.failures[0].if_true.value(), 0.99 * 0.3, 1e-5);
    EXPECT_FALSE(miss.failures[0].needed) << "alone it is never enough";
}

TEST(NearMisses, AnObjectHasOneShape) {
    const std::string rule = "kp(X) :- in(A, X), in(B, X), shape(A, cube), shape(B, cylinder).\n:- query(kp(img)).\n";
    ExplainOptions options;
    options.near.most = 20;
    ExplainedText text(scene + rule, options);
    const Explanation explanation = text.explain("kp(img)", {{"in(obj0,img)", 1.0F},
                                                             {"in(obj1,img)", 1.0F},
                                                             {"shape(obj0,cube)", 0.3F},
                                                             {"shape(obj0,cylinder)", 0.4F},
                                                             {"shape(obj1,cube)", 0.01F},
                                                             {"shape(obj1,cylinder)", 0.01F}});
    ASSERT_FALSE(nearest(explanation).empty());
    for (const NearMiss& miss : nearest(explanation)) {
        for (const char* object : {"obj0", "obj1"}) {
            Texts shapes;
            for (const ExplainedStep& step : miss.proof.steps) {
                if (step.atom.starts_with(fmt::format("shape({},", object))) shapes.push_back(step.atom);
            }
            EXPECT_LE(shapes.size(), 1U) << fmt::format("{}", fmt::join(shapes, " and "));
        }
    }
    EXPECT_EQ(blamed(explanation), "shape(obj1,cube) shape(obj0,cylinder) | shape(obj1,cylinder) shape(obj0,cube)");
}

// It holds in no world, and still has a value that is to be explained.
TEST(NearMisses, ARuleThatAsksForTwoShapesIsTheLastResort) {
    ExplainedText text(":- type(object, [obj0]).\n:- type(shape, [cube, cylinder]).\n:- pred(kp).\n"
                       ":- neural(shape(object, shape)).\n"
                       "kp :- shape(A, cube), shape(A, cylinder).\n:- query(kp).\n");
    const Explanation explanation = text.explain("kp", {{"shape(obj0,cube)", 0.5F}, {"shape(obj0,cylinder)", 0.5F}});
    EXPECT_EQ(blamed(explanation), "shape(obj0,cube) shape(obj0,cylinder)");
    EXPECT_NEAR(nearest(explanation).at(0).proof.value, 0.25, 1e-6);
}

constexpr const char* questions =
    ":- type(color, [red, blue]).\n:- type(object, [obj0]).\n:- type(position, [1st, 2nd]).\n"
    ":- type(kind, [q_sort]).\n:- type(question, [q]).\n:- pred(answer(color)).\n"
    ":- neural(color(object, color)).\n"
    ":- neural(query2(question, kind, position)).\n"
    "answer(C) :- query2(q, q_sort, 1st), color(obj0, C).\n:- query(answer(_)).\n";

TEST(NearMisses, TheQuestionIsNeverToBlame) {
    ExplainedText text(questions);
    const Explanation asked = text.explain(
        "answer(red)", {{"query2(q,q_sort,1st)", 1.0F}, {"color(obj0,red)", 0.1F}, {"color(obj0,blue)", 0.9F}});
    EXPECT_EQ(blamed(asked), "color(obj0,red)");
    // A question that is asked half-heartedly is given all the same.
    const Explanation half = text.explain("answer(red)", {{"query2(q,q_sort,1st)", 0.3F}, {"color(obj0,red)", 0.2F}});
    EXPECT_EQ(blamed(half), "color(obj0,red)");
    // And where it is not asked at all, no input is to blame, but the derivation that lacks it is shown.
    const Explanation other = text.explain("answer(red)", {{"color(obj0,red)", 0.95F}});
    EXPECT_EQ(blamed(other), "");
    ASSERT_FALSE(nearest(other).empty());
    EXPECT_TRUE(nearest(other)[0].failures.empty());
}

TEST(NearMisses, TrustedPredicatesAreNeverToBlame) {
    ExplainedText unsuspecting(std::string(scene) + red_cube);
    const Inputs inputs = scene_of({{"color(obj0,red)", 0.1F}, {"shape(obj0,cube)", 0.2F}});
    EXPECT_EQ(failures_of(nearest(unsuspecting.explain("kp(img)", inputs)).at(0)),
              (Texts{"color(obj0,red)", "shape(obj0,cube)"}));
    ExplainOptions options;
    options.near.trusted = {unsuspecting.predicate("color", 2)};
    ExplainedText text(std::string(scene) + red_cube, options);
    EXPECT_EQ(blamed(text.explain("kp(img)", inputs)), "shape(obj0,cube) | shape(obj1,cube)");
}

TEST(NearMisses, NameTheFactThatIsMissing) {
    const std::string family = ":- type(person, [ann, ben, dan]).\n:- pred(parent(person, person)).\n"
                               ":- pred(ancestor(person, person)).\nparent(ann, ben).\n"
                               "ancestor(X, Y) :- parent(X, Y).\n"
                               "ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).\n";
    ExplainedText text(family, {}, ExplainedText::max_product(), GroundMode::Full);
    const Explanation explanation = text.explain("ancestor(ann,dan)");
    EXPECT_EQ(explanation.value, 0);
    ASSERT_GE(nearest(explanation).size(), 2U);
    // Either of two facts alone would do.
    Texts first = failures_of(nearest(explanation)[0]);
    Texts second = failures_of(nearest(explanation)[1]);
    ASSERT_EQ(first.size(), 1U);
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ((std::set<std::string>{first[0], second[0]}),
              (std::set<std::string>{"parent(ann,dan)", "parent(ben,dan)"}));
    EXPECT_NEAR(nearest(explanation)[0].if_true.value(), 1, 1e-6);
    expect_needed(nearest(explanation)[0].failures[0], 0.5);
}

TEST(NearMisses, SuspectPerceptionBeforeTheProgram) {
    ExplainedText text(":- type(t, [a]).\n:- neural(seen(t)).\n:- pred(known(t)).\n:- pred(p).\n"
                       "p :- known(X).\np :- seen(X).\n",
                       {}, ExplainedText::max_product(), GroundMode::Full);
    EXPECT_EQ(blamed(text.explain("p", {{"seen(a)", 0.0F}})), "seen(a) | known(a)");
}

TEST(NearMisses, LowWeightsAreNobodysFailure) {
    ExplainedText text(":- pred(p).\n:- pred(q).\nq.\n0.3::p :- q.\n:- query(p).\n");
    const Explanation explanation = text.explain("p");
    ASSERT_EQ(nearest(explanation).size(), 1U);
    EXPECT_TRUE(nearest(explanation)[0].failures.empty());
    EXPECT_FALSE(nearest(explanation)[0].if_true);
    EXPECT_NEAR(nearest(explanation)[0].proof.value, 0.3, 1e-6);
}

TEST(NearMisses, TiesAreListed) {
    const std::string program = ":- type(object, [obj0, obj1, obj2]).\n:- type(shape, [cube, sphere]).\n:- pred(kp).\n"
                                ":- neural(shape(object, shape)).\nkp :- shape(O, cube).\n:- query(kp).\n";
    const Inputs inputs = {{"shape(obj0,cube)", 0.1F}, {"shape(obj1,cube)", 0.1F}, {"shape(obj2,cube)", 0.1F}};
    ExplainedText text(program);
    EXPECT_EQ(blamed(text.explain("kp", inputs)), "shape(obj0,cube) | shape(obj1,cube) | shape(obj2,cube)");
    ExplainOptions options;
    options.near.most = 2;
    ExplainedText fewer(program, options);
    EXPECT_EQ(blamed(fewer.explain("kp", inputs)), "shape(obj0,cube) | shape(obj1,cube)");
}

// Many derivations lack the same, or that and more.
// Of near(a,b) and near(b,a) one is told, where the picture is seen alike from both; of left_of both are.
TEST(NearMisses, OfTwinsOneIsTold) {
    const auto told = [](const std::string& relation, float forth, float back) {
        ExplainedText text(":- type(o, [a, b]). :- neural(" + relation +
                               "(o, o)). :- neural(red(o)). :- pred(p).\np :- " + relation +
                               "(X, Y), red(X), red(Y), X \\= Y.\n:- query(p).\n",
                           {}, ExplainedText::max_product(), GroundMode::Full);
        return blamed(text.explain(
            "p", {{relation + "(a,b)", forth}, {relation + "(b,a)", back}, {"red(a)", 1.0F}, {"red(b)", 1.0F}}));
    };
    EXPECT_EQ(told("near", 0.02F, 0.02F), "near(a,b)");
    EXPECT_EQ(told("left_of", 0.1F, 0.02F), "left_of(a,b) | left_of(b,a)");
    EXPECT_EQ(told("left_of", 0.0F, 0.0F), "left_of(a,b) | left_of(b,a)") << "nothing says that it is symmetric";
}

TEST(NearMisses, WhatLacksMoreOfTheSameIsNotTold) {
    ExplainedText text(":- type(t, [a, b, c]).\n:- neural(x).\n:- neural(y(t)).\n:- pred(p).\n"
                       "p :- x, y(T).\n:- query(p).\n");
    EXPECT_EQ(blamed(text.explain("p", {{"x", 0.1F}, {"y(a)", 0.9F}, {"y(b)", 0.8F}, {"y(c)", 0.2F}})), "x");
}

TEST(NearMisses, WhereNothingIsPlainlyWrongTheLeastCertainIsNamed) {
    ExplainedText text(":- neural(x).\n:- neural(y).\n:- neural(z).\n:- pred(p).\np :- x, y, z.\n:- query(p).\n");
    EXPECT_EQ(blamed(text.explain("p", {{"x", 0.8F}, {"y", 0.6F}, {"z", 0.95F}})), "y x");
}

TEST(NearMisses, AreToldWhenAskedFor) {
    const std::string program = ":- neural(x).\n:- pred(p).\np :- x.\n:- query(p).\n";
    EXPECT_FALSE(ExplainedText(program).explain("p", {{"x", 0.9F}}).why_not);
    EXPECT_TRUE(ExplainedText(program).explain("p", {{"x", 0.4F}}).why_not);
    ExplainOptions always;
    always.why_not = ExplainOptions::WhyNot::Always;
    EXPECT_TRUE(ExplainedText(program, always).explain("p", {{"x", 0.9F}}).why_not);
    ExplainOptions never;
    never.why_not = ExplainOptions::WhyNot::Never;
    EXPECT_FALSE(ExplainedText(program, never).explain("p", {{"x", 0.4F}}).why_not);
    ExplainOptions strict;
    strict.threshold = 0.95;
    EXPECT_TRUE(ExplainedText(program, strict).explain("p", {{"x", 0.9F}}).why_not);
}

TEST(NearMisses, AHighThresholdBlamesWhatIsBelowIt) {
    ExplainOptions strict;
    strict.threshold = 0.95;
    ExplainedText text(":- neural(x).\n:- pred(p).\np :- x.\n:- query(p).\n", strict);
    const Explanation explanation = text.explain("p", {{"x", 0.92F}});
    ASSERT_EQ(blamed(explanation), "x");
    expect_needed(nearest(explanation)[0].failures[0], 0.95);
}

}  // namespace
}  // namespace neumann
