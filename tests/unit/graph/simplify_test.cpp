#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/build.h"
#include "graph/simplify.h"

namespace neumann {
namespace {

using Bits = std::vector<bool>;

// Conjunctions as (clause, head, body).
struct Instance {
    std::uint32_t clause;
    std::uint32_t head;
    std::vector<std::uint32_t> body;
    std::vector<bool> negated = {};
};

ReasoningGraph graph_of(std::uint32_t atoms, std::uint32_t clauses, const std::vector<Instance>& instances) {
    GraphInput input;
    for (const Instance& instance : instances) {
        InstanceBlock block;
        block.clause = instance.clause;
        block.width = static_cast<std::uint32_t>(instance.body.size());
        block.rows.push_back(instance.head);
        block.rows.append(instance.body);
        block.negated = instance.negated;
        input.blocks.push_back(std::move(block));
    }
    input.initial = PodVector<float>(atoms, 0.25F);
    input.weight = PodVector<double>(clauses, 1.0);
    return build_graph(std::move(input), 1);
}

std::vector<std::uint32_t> body_of(const ReasoningGraph& graph, std::uint32_t conjunction) {
    std::vector<std::uint32_t> atoms;
    for (const GraphLiteral literal : graph.literals(conjunction)) atoms.push_back(literal.atom());
    return atoms;
}

TEST(CertainAtoms, FollowFromCertainFactsThroughCertainClauses) {
    // 0 → 1 → 2, and 3 needs 0 and the uncertain 4.
    const ReasoningGraph graph = graph_of(5, 1, {{0, 1, {0}}, {0, 2, {1}}, {0, 3, {0, 4}}});
    EXPECT_EQ(certain_atoms(graph, {true, false, false, false, false}, {true}), (Bits{true, true, true, false, false}));
    EXPECT_EQ(certain_atoms(graph, {true, false, false, false, true}, {true}), (Bits{true, true, true, true, true}));
    EXPECT_EQ(certain_atoms(graph, {true, false, false, false, false}, {false}),
              (Bits{true, false, false, false, false}))
        << "a weight is nobody's certainty";
}

TEST(CertainAtoms, AnEmptyBodyIsTrue) {
    const ReasoningGraph graph = graph_of(2, 2, {{0, 0, {}}, {1, 1, {}}});
    EXPECT_EQ(certain_atoms(graph, {false, false}, {true, false}), (Bits{true, false}));
}

TEST(CertainAtoms, ACycleDoesNotProveItself) {
    const ReasoningGraph graph = graph_of(3, 1, {{0, 0, {1}}, {0, 1, {0}}, {0, 2, {2}}});
    EXPECT_EQ(certain_atoms(graph, {false, false, false}, {true}), (Bits{false, false, false}));
}

TEST(NeededAtoms, AreThoseBelow) {
    const ReasoningGraph graph = graph_of(5, 1, {{0, 0, {1, 2}}, {0, 2, {3}}, {0, 4, {0}}});
    const Bits none(5, false);
    EXPECT_EQ(needed_atoms(graph, {true, false, false, false, false}, none), (Bits{true, true, true, true, false}));
    EXPECT_EQ(needed_atoms(graph, {false, false, false, true, false}, none), (Bits{false, false, false, true, false}));
    EXPECT_EQ(needed_atoms(graph, none, none), none);
}

TEST(NeededAtoms, NothingIsNeededBelowACertainAtom) {
    const ReasoningGraph graph = graph_of(5, 1, {{0, 0, {1, 2}}, {0, 2, {3}}, {0, 4, {0}}});
    const Bits needed = needed_atoms(graph, {true, false, false, false, false}, {false, false, true, false, false});
    EXPECT_TRUE(needed[1]);
    EXPECT_FALSE(needed[3]);
}

TEST(NeededAtoms, NothingIsNeededBesideAnImpossibleAtom) {
    // 0 follows from 1 and 2, or from 3; 3 from 4.
    const ReasoningGraph graph = graph_of(5, 1, {{0, 0, {1, 2}}, {0, 0, {3}}, {0, 3, {4}}});
    const Bits none(5, false);
    const Bits asked = {true, false, false, false, false};
    EXPECT_EQ(needed_atoms(graph, asked, none, {false, false, true, false, false}),
              (Bits{true, false, false, true, true}));
    EXPECT_EQ(needed_atoms(graph, asked, none, {false, false, false, false, true}),
              (Bits{true, true, true, true, false}));
    EXPECT_EQ(needed_atoms(graph, asked, none, none), Bits(5, true));
    EXPECT_EQ(needed_atoms(graph, asked, none, Bits(5, true)), asked) << "what is asked stays asked";
}

TEST(NeededAtoms, WhatStandsInAnotherBodyTooIsNeeded) {
    const ReasoningGraph graph = graph_of(4, 1, {{0, 0, {1, 2}}, {0, 0, {1, 3}}});
    EXPECT_EQ(needed_atoms(graph, {true, false, false, false}, Bits(4, false), {false, false, true, false}),
              (Bits{true, true, false, true}));
}

TEST(Simplify, KeptAtomsAreRenumberedInOrder) {
    const ReasoningGraph graph = graph_of(5, 2, {{0, 4, {1, 3}}, {1, 3, {1}}, {0, 2, {0}}});
    const ReasoningGraph smaller = simplify(graph, {{false, true, false, true, true}, Bits(5, false), {}, {}});
    ASSERT_EQ(smaller.atom_count(), 3U);
    ASSERT_EQ(smaller.conjunction_count(), 2U);
    EXPECT_EQ(smaller.head[0], 1U);
    EXPECT_EQ(smaller.clause[0], 1U);
    EXPECT_EQ(smaller.head[1], 2U);
    EXPECT_EQ(body_of(smaller, 1), (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(std::vector(smaller.uses_of(0).begin(), smaller.uses_of(0).end()), (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(smaller.initial[0], 0.25F);
    EXPECT_EQ(smaller.clause_count(), 2U) << "clauses keep their numbers";
}

TEST(Simplify, CertainAtomsLeaveBodiesAndNeedNoDerivation) {
    // 1 is certain and asked for; 0 is certain and nobody asks.
    const ReasoningGraph graph = graph_of(3, 1, {{0, 1, {0}}, {0, 2, {0, 1}}});
    const ReasoningGraph smaller = simplify(graph, {{false, true, true}, {true, true, false}, {}, {}});
    ASSERT_EQ(smaller.atom_count(), 2U);
    EXPECT_EQ(smaller.initial[0], 1.0F);
    ASSERT_EQ(smaller.conjunction_count(), 1U);
    EXPECT_TRUE(smaller.literals(0).empty());
    EXPECT_EQ(smaller.edge_count(), 2U);
}

TEST(Simplify, ConjunctionsWithAnImpossibleAtomGo) {
    const ReasoningGraph graph = graph_of(4, 2, {{0, 3, {0, 1}}, {1, 3, {0, 2}}, {0, 2, {1}}, {1, 2, {}}});
    const ReasoningGraph smaller =
        simplify(graph, {{true, false, true, true}, Bits(4, false), {false, true, false, false}, {}});
    ASSERT_EQ(smaller.atom_count(), 3U);
    ASSERT_EQ(smaller.conjunction_count(), 2U);
    EXPECT_EQ(smaller.head[0], 1U);
    EXPECT_TRUE(smaller.literals(0).empty()) << "nothing in it is impossible";
    EXPECT_EQ(smaller.head[1], 2U);
    EXPECT_EQ(smaller.clause[1], 1U);
    EXPECT_EQ(body_of(smaller, 1), (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(std::vector(smaller.uses_of(0).begin(), smaller.uses_of(0).end()), (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(smaller.clause_count(), 2U);
}

TEST(Simplify, GivenAtomsAreNotDerivedButUsed) {
    const ReasoningGraph graph = graph_of(4, 1, {{0, 1, {0}}, {0, 2, {1}}, {0, 3, {1, 2}}});
    const ReasoningGraph smaller =
        simplify(graph, {{false, true, true, true}, Bits(4, false), {}, {false, true, false, false}});
    ASSERT_EQ(smaller.atom_count(), 3U);
    EXPECT_EQ(smaller.initial[0], 0.25F) << "its value stays what it was until somebody gives another";
    ASSERT_EQ(smaller.conjunction_count(), 2U);
    EXPECT_EQ(smaller.in_begin[0], smaller.in_begin[1]) << "nothing derives it";
    EXPECT_EQ(body_of(smaller, 0), (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(body_of(smaller, 1), (std::vector<std::uint32_t>{0, 1}));
}

TEST(CertainAtoms, NothingWithANegatedLiteralIsOne) {
    const ReasoningGraph graph = graph_of(3, 1, {{0, 1, {0}, {true}}, {0, 2, {0, 0}, {true, false}}});
    EXPECT_EQ(certain_atoms(graph, {true, false, false}, {true}), (Bits{true, false, false}));
    EXPECT_EQ(certain_atoms(graph, {false, false, false}, {true}), (Bits{false, false, false}));
}

TEST(PossibleAtoms, ANegatedLiteralAlwaysMayHold) {
    // 1 ← \+ 0;  2 ← 0, \+ 0;  3 ← 1, 2
    const ReasoningGraph graph =
        graph_of(4, 1, {{0, 1, {0}, {true}}, {0, 2, {0, 0}, {false, true}}, {0, 3, {1, 2}, {}}});
    EXPECT_EQ(possible_atoms(graph, {false, false, false, false}), (Bits{false, true, false, false}));
    EXPECT_EQ(possible_atoms(graph, {true, false, false, false}), (Bits{true, true, true, true}));
}

TEST(Simplify, ANegatedLiteralIsTheOtherWayRound) {
    // 2 ← \+ 0, 1;  3 ← \+ 1;  with 0 impossible the literal goes, with 0 certain the conjunction does.
    const ReasoningGraph graph = graph_of(4, 1, {{0, 2, {0, 1}, {true, false}}, {0, 3, {1}, {true}}});
    EXPECT_FALSE(graph.monotone);
    const ReasoningGraph impossible = simplify(graph, {Bits(4, true), Bits(4, false), {true, false, false, false}, {}});
    ASSERT_EQ(impossible.conjunction_count(), 2U);
    EXPECT_EQ(body_of(impossible, 0), (std::vector<std::uint32_t>{1}));
    EXPECT_TRUE(impossible.literals(1)[0].negated());
    EXPECT_FALSE(impossible.monotone);
    const ReasoningGraph certain = simplify(graph, {Bits(4, true), {true, false, false, false}, {}, {}});
    ASSERT_EQ(certain.conjunction_count(), 1U);
    EXPECT_EQ(certain.head[0], 3U);
    const ReasoningGraph neither = simplify(graph, {Bits(4, true), Bits(4, false), {true, true, false, false}, {}});
    ASSERT_EQ(neither.conjunction_count(), 1U) << "1 is impossible, so is what needs it";
    EXPECT_TRUE(neither.literals(0).empty());
    EXPECT_TRUE(neither.monotone) << "what is left has no negated literal";
    EXPECT_EQ(needed_atoms(graph, {false, false, true, false}, {true, false, false, false}),
              (Bits{false, false, true, false}));
}

TEST(Simplify, NothingImpossibleOrGivenIsTheSameAsNoList) {
    const ReasoningGraph graph = graph_of(4, 1, {{0, 1, {0, 2}}, {0, 3, {1}}, {0, 3, {}}});
    const Bits keep = {true, true, true, false};
    const ReasoningGraph a = simplify(graph, {keep, Bits(4, false), {}, {}});
    const ReasoningGraph b = simplify(graph, {keep, Bits(4, false), Bits(4, false), Bits(4, false)});
    EXPECT_EQ(a.conjunction_count(), 1U);
    EXPECT_TRUE(std::ranges::equal(a.head, b.head));
    EXPECT_TRUE(std::ranges::equal(a.body, b.body));
    EXPECT_TRUE(std::ranges::equal(a.use, b.use));
}

TEST(Simplify, KeepingEverythingChangesNothing) {
    const ReasoningGraph graph = graph_of(4, 1, {{0, 1, {0, 2}}, {0, 3, {1}}, {0, 3, {}}});
    const ReasoningGraph same = simplify(graph, {Bits(4, true), Bits(4, false), {}, {}});
    EXPECT_TRUE(std::ranges::equal(graph.head, same.head));
    EXPECT_TRUE(std::ranges::equal(graph.body, same.body));
    EXPECT_TRUE(std::ranges::equal(graph.use, same.use));
    EXPECT_TRUE(std::ranges::equal(graph.in_begin, same.in_begin));
    EXPECT_TRUE(std::ranges::equal(graph.body_begin, same.body_begin));
}

}  // namespace
}  // namespace neumann
