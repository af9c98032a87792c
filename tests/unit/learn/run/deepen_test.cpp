// Deepening by validation: a small confounded set, whose rule is known.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "learn/run/deepen.h"
#include "unit/learning_tasks.h"

namespace neumann {
namespace {

const std::string solids = R"(
:- type(object, [o0, o1, o2, o3]).
:- type(image, [img]).
:- type(color, [gray, red, blue, green]).
:- type(shape, [cube, cylinder, sphere]).
:- type(size, [large, small]).
:- pred(kp(image)).
:- neural(in(object, image)).
:- neural(color(object, color)).
:- neural(shape(object, shape)).
:- neural(size(object, size)).
:- modeh(1, kp(-image)).
:- modeb(2, in(-object, +image)).
:- modeb(2, color(+object, #color)).
:- modeb(2, shape(+object, #shape)).
:- modeb(2, size(+object, #size)).
:- learn(kp/1, 1).
:- initial((kp(X) :- in(O1,X), in(O2,X))).
)";

const std::string rule =
    "kp(X) :- in(O1,X), in(O2,X), shape(O1,cube), shape(O2,cylinder), size(O1,large), size(O2,large).";

struct Solid {
    std::string color;
    std::string shape;
    std::string size;
};

// Scenes with a large cube and a large cylinder, or without; the cube of the former is gray if they are confounded.
// Each attribute is seen wrong with probability `mistakes`.
WrittenExamples scenes(std::size_t count, bool confounded, double mistakes, Rng& rng) {
    const Texts colors = {"gray", "red", "blue", "green"};
    const Texts shapes = {"cube", "cylinder", "sphere"};
    const Texts sizes = {"large", "small"};
    const auto any = [&](const Texts& of) { return of[rng.below(static_cast<std::uint32_t>(of.size()))]; };
    WrittenExamples made;
    while (made.size() < count) {
        const bool positive = made.size() % 2 == 0;
        std::vector<Solid> objects;
        for (int o = 0; o < 4; ++o) objects.push_back({any(colors), any(shapes), any(sizes)});
        if (positive) {
            objects[0] = {confounded ? "gray" : any(colors), "cube", "large"};
            objects[1] = {any(colors), "cylinder", "large"};
        }
        const auto has = [&](const char* shape) {
            return std::ranges::any_of(objects, [&](const Solid& o) { return o.shape == shape && o.size == "large"; });
        };
        if ((has("cube") && has("cylinder")) != positive) continue;
        WrittenExample example;
        for (std::size_t o = 0; o < objects.size(); ++o) {
            const auto seen = [&](const char* predicate, const std::string& truth, const Texts& of) {
                const std::string value = rng.chance(mistakes) ? any(of) : truth;
                example.atoms.emplace_back(fmt::format("{}(o{},{})", predicate, o, value), 0.97F);
            };
            example.atoms.emplace_back(fmt::format("in(o{},img)", o), 0.99F);
            example.atoms.emplace_back(fmt::format("color(o{},{})", o, objects[o].color), 0.97F);
            seen("shape", objects[o].shape, shapes);
            seen("size", objects[o].size, sizes);
        }
        example.targets.emplace_back("kp(img)", positive);
        made.push_back(std::move(example));
    }
    return made;
}

Task confounded() {
    Rng rng(11);
    Task task;
    task.program = solids;
    task.train = scenes(600, true, 0.02, rng);
    task.validation = scenes(300, true, 0.02, rng);
    task.options = quick();
    task.options.algorithm = "gradient";
    return task;
}

TEST(Deepen, StopsBeforeTheConfounder) {
    Task task = confounded();
    task.options.enough = 0.96;
    const Learned learned = learn(task);
    EXPECT_EQ(clauses(learned), Texts{rule});
    ASSERT_EQ(learned.depths.size(), 4U);
    for (std::size_t d = 0; d < 4; ++d) {
        EXPECT_EQ(learned.depths[d].depth, d + 1);
        EXPECT_TRUE(learned.depths[d].complete);
        EXPECT_EQ(learned.depths[d].validation_accuracy >= 0.96, d == 3);
    }
    EXPECT_EQ(learned.depths[3].program, rule);

    // The confounder has fewer wrong labels, but is a goal more.
    task.options.enough = 1.0;
    const Learned longer = learn(task);
    ASSERT_GT(longer.depths.size(), 4U);
    EXPECT_NE(longer.depths[4].program.find("gray"), std::string::npos) << longer.depths[4].program;
    EXPECT_GT(longer.depths[4].train_accuracy, longer.depths[3].train_accuracy);
}

// With so few labels the standard error is more than the confounder gains.
TEST(Deepen, WithoutAShareTheFirstDepthWithinAnErrorOfTheBestIsTaken) {
    const Learned learned = learn(confounded());
    double best = 0;
    for (const LearnDepth& one : learned.depths) best = std::max(best, one.validation_accuracy);
    EXPECT_NEAR(learned.enough, best - std::sqrt(best * (1 - best) / 300), 1e-9);
    const auto first = std::ranges::find_if(
        learned.depths, [&](const LearnDepth& one) { return one.validation_accuracy >= learned.enough; });
    ASSERT_NE(first, learned.depths.end());
    EXPECT_EQ(clauses(learned), Texts{first->program});
    EXPECT_EQ(within_error(1.0, 7), 1.0);
    EXPECT_NEAR(within_error(0.9, 100), 0.87, 1e-9);
}

// Every clause with so many goals, one by one: none is better on training labels.
TEST(Deepen, TheBestOfADepthIsTheBestOfAll) {
    Task task = confounded();
    task.train.resize(120);
    LoadedTask input = learning_input(task.program, task.train);
    ProgramEvaluator evaluator(input.program, input.pool, {&input.train}, task.options.reasoning, {});
    // All that refining the initial clause leads to, without a longer clause on the way.
    const auto best_of = [&](std::uint32_t goals) {
        Refiner refiner(input.program, {input.program.modes, {.max_body = goals}});
        double best = 0;
        std::set<std::vector<std::uint32_t>> seen;
        std::vector<SearchClause> left = {refiner.canonical(input.program.initial.front())};
        while (!left.empty()) {
            const SearchClause clause = left.back();
            left.pop_back();
            if (!seen.insert(clause.key).second) continue;
            Program program = input.program;
            program.clauses.push_back(refiner.readable(clause));
            Diagnostics ignored;
            best = std::max(best, evaluator.evaluate(program, ignored)[0].accuracy(0.5));
            for (const SearchClause& one : refiner.refine(clause)) left.push_back(one);
        }
        return best;
    };
    task.validation = task.train;
    task.options.enough = 1.0;
    task.options.search.bounds.max_body = 4;
    const Learned learned = learn(task);
    ASSERT_EQ(learned.depths.size(), 2U);
    for (const LearnDepth& one : learned.depths) {
        EXPECT_TRUE(one.complete);
        EXPECT_NEAR(one.train_accuracy, best_of(static_cast<std::uint32_t>(2 + one.depth)), 1e-9) << one.program;
    }
}

TEST(Deepen, NamesClausesThatTheExamplesDoNotTellApart) {
    Task task;
    task.program = R"(
:- type(thing, [t0, t1]).
:- type(image, [img]).
:- pred(kp(image)).
:- neural(in(thing, image)).
:- neural(red(thing)).
:- neural(round(thing)).
:- neural(heavy(thing)).
:- modeb(1, in(-thing, +image)).
:- modeb(1, red(+thing)).
:- modeb(1, round(+thing)).
:- modeb(1, heavy(+thing)).
:- learn(kp/1, 1).
:- initial((kp(X) :- in(T,X))).
)";
    for (int e = 0; e < 40; ++e) {  // what is red is round; one thing in ten is heavy as well
        const float value = e % 2 == 0 ? 0.95F : 0.05F;
        WrittenExample example;
        example.atoms = {{"in(t0,img)", 0.95F}, {"red(t0)", value}, {"round(t0)", value}};
        example.atoms.emplace_back("heavy(t0)", e % 10 == 0 ? 0.95F : 0.05F);
        example.targets.emplace_back("kp(img)", e % 2 == 0);
        (e < 30 ? task.train : task.validation).push_back(std::move(example));
    }
    task.options = quick();
    task.options.algorithm = "gradient";
    const Learned learned = learn(task);
    ASSERT_EQ(learned.depths.size(), 1U);
    ASSERT_EQ(learned.rivals_found, 1U);
    Texts both = {learned.texts.at(0), learned.rivals.at(0).clause};
    std::ranges::sort(both);
    EXPECT_EQ(both, (Texts{"kp(X) :- in(T1,X), red(T1).", "kp(X) :- in(T1,X), round(T1)."}));
    EXPECT_EQ(learned.rivals[0].train_accuracy, 1);
    EXPECT_EQ(learned.rivals[0].validation_accuracy, 1);
}

TEST(Deepen, TheSearchStopsByValidationToo) {
    Task task = grandparent();
    task.validation = task.train;
    task.options.algorithm = "search";
    const Learned learned = learn(task);
    EXPECT_EQ(clauses(learned), Texts{"grandparent(X,Y) :- parent(X,P1), parent(P1,Y)."});
    ASSERT_EQ(learned.depths.size(), 2U);
    EXPECT_EQ(learned.enough, 1.0);
    EXPECT_EQ(learned.errors, 0U);
}

}  // namespace
}  // namespace neumann
