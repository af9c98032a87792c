#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "worlds/decision_diagrams.h"

namespace neumann {
namespace {

using Node = DecisionDiagrams::Node;

// What a function says about a world: the outcome of every choice.
bool holds(const DecisionDiagrams& diagrams, Node node, const std::vector<std::uint32_t>& world) {
    while (!DecisionDiagrams::is_constant(node)) node = diagrams.branches(node)[world[diagrams.choice(node)]];
    return node == DecisionDiagrams::always;
}

void for_each_world(const std::vector<std::uint32_t>& outcomes,
                    const std::function<void(const std::vector<std::uint32_t>&)>& each) {
    std::vector<std::uint32_t> world(outcomes.size(), 0);
    while (true) {
        each(world);
        std::size_t i = 0;
        while (i < world.size() && ++world[i] == outcomes[i]) world[i++] = 0;
        if (i == world.size()) return;
    }
}

TEST(DecisionDiagrams, EqualFunctionsAreOneNode) {
    DecisionDiagrams diagrams({2, 2, 2});
    const Node a = diagrams.outcome(0, 1);
    const Node b = diagrams.outcome(1, 1);
    const Node c = diagrams.outcome(2, 1);
    EXPECT_EQ(diagrams.both(a, diagrams.either(b, c)), diagrams.either(diagrams.both(a, b), diagrams.both(a, c)));
    EXPECT_EQ(diagrams.negation(diagrams.both(a, b)), diagrams.either(diagrams.negation(a), diagrams.negation(b)));
    EXPECT_EQ(diagrams.both(a, diagrams.negation(a)), DecisionDiagrams::never);
    EXPECT_EQ(diagrams.either(a, diagrams.negation(a)), DecisionDiagrams::always);
}

TEST(DecisionDiagrams, OutcomesOfOneChoiceExcludeEachOther) {
    DecisionDiagrams diagrams({4});
    EXPECT_EQ(diagrams.both(diagrams.outcome(0, 1), diagrams.outcome(0, 2)), DecisionDiagrams::never);
    std::vector<Node> ways;
    for (std::uint32_t way = 0; way < 4; ++way) ways.push_back(diagrams.outcome(0, way));
    EXPECT_EQ(diagrams.any_of(ways), DecisionDiagrams::always);
}

TEST(DecisionDiagrams, NothingIsTrueOfAllAndFalseOfAny) {
    DecisionDiagrams diagrams({2});
    std::vector<Node> nothing;
    EXPECT_EQ(diagrams.all_of(nothing), DecisionDiagrams::always);
    EXPECT_EQ(diagrams.any_of(nothing), DecisionDiagrams::never);
}

TEST(DecisionDiagrams, RandomFormulasSayWhatTheirPartsSay) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE(seed);
        Rng rng(seed);
        std::vector<std::uint32_t> outcomes;
        for (std::uint32_t i = 1 + rng.below(5); i > 0; --i) outcomes.push_back(2 + rng.below(3));
        DecisionDiagrams diagrams(outcomes);
        std::vector<Node> nodes{DecisionDiagrams::never, DecisionDiagrams::always};
        for (int step = 0; step < 30; ++step) {
            const Node a = nodes[rng.below(static_cast<std::uint32_t>(nodes.size()))];
            const Node b = nodes[rng.below(static_cast<std::uint32_t>(nodes.size()))];
            const auto choice = rng.below(static_cast<std::uint32_t>(outcomes.size()));
            const Node basic = diagrams.outcome(choice, rng.below(outcomes[choice]));
            const Node both = diagrams.both(a, b);
            const Node either = diagrams.either(a, basic);
            const Node negation = diagrams.negation(a);
            for_each_world(outcomes, [&](const std::vector<std::uint32_t>& world) {
                const bool x = holds(diagrams, a, world);
                ASSERT_EQ(holds(diagrams, both, world), x && holds(diagrams, b, world));
                ASSERT_EQ(holds(diagrams, either, world), x || holds(diagrams, basic, world));
                ASSERT_EQ(holds(diagrams, negation, world), !x);
            });
            nodes.insert(nodes.end(), {both, either, negation});
            if (rng.chance(0.2)) diagrams.keep_only(nodes);
        }
    }
}

TEST(DecisionDiagrams, WhatNothingNeedsIsForgotten) {
    DecisionDiagrams diagrams(std::vector<std::uint32_t>(20, 2));
    std::vector<Node> kept{diagrams.outcome(0, 1)};
    for (std::uint32_t choice = 1; choice < 20; ++choice) diagrams.both(kept[0], diagrams.outcome(choice, 1));
    EXPECT_GT(diagrams.nodes(), 30U);
    diagrams.keep_only(kept);
    EXPECT_EQ(diagrams.nodes(), 3U);
    EXPECT_EQ(diagrams.branches(kept[0])[1], DecisionDiagrams::always);
}

// Diagrams are as deep as there are choices: no recursion of the machine's.
TEST(DecisionDiagrams, DeepOnesNeedNoStack) {
    constexpr std::uint32_t many = 200'000;
    DecisionDiagrams diagrams(std::vector<std::uint32_t>(many, 2));
    std::vector<Node> facts;
    for (std::uint32_t choice = 0; choice < many; ++choice) facts.push_back(diagrams.outcome(choice, 1));
    const Node any = diagrams.any_of(facts);
    EXPECT_EQ(diagrams.nodes_under(std::vector<Node>{any}).size(), many);
    EXPECT_EQ(diagrams.nodes_under(std::vector<Node>{diagrams.negation(any)}).size(), many);
}

TEST(DecisionDiagrams, LimitsAreExceptions) {
    const auto parity = [](DecisionDiagrams& diagrams, std::uint32_t choices) {
        Node odd = DecisionDiagrams::never;
        for (std::uint32_t choice = choices; choice-- > 0;) {
            const Node yes = diagrams.outcome(choice, 1);
            odd =
                diagrams.either(diagrams.both(yes, diagrams.negation(odd)), diagrams.both(diagrams.negation(yes), odd));
        }
        return odd;
    };
    DecisionDiagrams small(std::vector<std::uint32_t>(40'000, 2), {.bytes = 200'000});
    EXPECT_THROW(parity(small, 40'000), DiagramLimit);
    int told = 0;
    DecisionDiagrams watched(std::vector<std::uint32_t>(40'000, 2),
                             {.steps = 1000, .watch = [&](std::size_t) { ++told; }});
    EXPECT_THROW(parity(watched, 40'000), DiagramLimit);
    EXPECT_EQ(told, 0);
}

}  // namespace
}  // namespace neumann
