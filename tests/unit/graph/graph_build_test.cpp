#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "graph/build.h"

namespace neumann {
namespace {

using Atoms = std::vector<std::uint32_t>;

InstanceBlock block(std::uint32_t clause, std::uint32_t width, std::initializer_list<std::uint32_t> rows,
                    bool may_collapse = true) {
    InstanceBlock result;
    result.clause = clause;
    result.width = width;
    result.may_collapse = may_collapse;
    for (std::uint32_t value : rows) result.rows.push_back(value);
    return result;
}

ReasoningGraph build(std::vector<InstanceBlock> blocks, std::uint32_t atoms, std::uint32_t clauses,
                     unsigned threads = 1) {
    GraphInput input;
    input.blocks = std::move(blocks);
    input.initial = PodVector<float>(atoms, 0.0F);
    input.weight = PodVector<double>(clauses, 1.0);
    return build_graph(std::move(input), threads, 0);
}

Atoms body(const ReasoningGraph& graph, std::uint32_t c) {
    Atoms atoms;
    for (const GraphLiteral literal : graph.literals(c)) atoms.push_back(literal.atom());
    return atoms;
}

// What every graph promises, whatever it was built from.
void expect_consistent(const ReasoningGraph& graph) {
    ASSERT_EQ(graph.in_begin.size(), graph.atom_count() + 1U);
    ASSERT_EQ(graph.in_begin[graph.atom_count()], graph.conjunction_count());
    std::uint64_t edges = graph.conjunction_count();
    std::set<std::pair<std::uint32_t, std::uint32_t>> forwards;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        for (std::uint32_t c = graph.in_begin[a]; c < graph.in_begin[a + 1]; ++c) ASSERT_EQ(graph.head[c], a);
    }
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        const Atoms atoms = body(graph, c);
        EXPECT_TRUE(std::ranges::is_sorted(atoms));
        EXPECT_EQ(std::ranges::adjacent_find(atoms), atoms.end()) << "bodies are sets";
        for (std::uint32_t atom : atoms) forwards.emplace(atom, c);
        edges += std::max<std::size_t>(1, atoms.size());
    }
    EXPECT_EQ(graph.edge_count(), edges);
    EXPECT_EQ(graph.node_count(), std::uint64_t{graph.atom_count()} + graph.conjunction_count());
    std::set<std::pair<std::uint32_t, std::uint32_t>> backwards;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        EXPECT_TRUE(std::ranges::is_sorted(graph.uses_of(a)));
        for (std::uint32_t c : graph.uses_of(a)) backwards.emplace(a, c);
    }
    EXPECT_EQ(forwards, backwards);
}

TEST(GraphBuild, ConjunctionsAreOrderedByHeadClauseAndBody) {
    // Atoms 0 to 4. Clause 1 comes before clause 0 in canonical order: the order of blocks decides, not the number.
    const ReasoningGraph graph = build({block(1, 2, {4, 3, 2, 4, 1, 0}), block(0, 1, {4, 0, 2, 1})}, 5, 2);
    expect_consistent(graph);
    ASSERT_EQ(graph.conjunction_count(), 4U);
    EXPECT_EQ(graph.head[0], 2U);
    EXPECT_EQ(body(graph, 1), (Atoms{0, 1}));
    EXPECT_EQ(body(graph, 2), (Atoms{2, 3}));
    EXPECT_EQ(graph.clause[2], 1U);
    EXPECT_EQ(body(graph, 3), (Atoms{0}));
    EXPECT_EQ(graph.clause[3], 0U);
}

TEST(GraphBuild, ABodyIsASetButInstancesAreNot) {
    // in(A,I), in(B,I) over two objects: four substitutions, two of which have one body atom.
    const ReasoningGraph graph = build({block(0, 2, {2, 0, 0, 2, 0, 1, 2, 1, 0, 2, 1, 1})}, 3, 1);
    expect_consistent(graph);
    EXPECT_EQ(graph.conjunction_count(), 4U);
    EXPECT_EQ(body(graph, 0), (Atoms{0}));
    EXPECT_EQ(body(graph, 1), (Atoms{0, 1}));
    EXPECT_EQ(body(graph, 2), (Atoms{0, 1}));
    EXPECT_EQ(graph.edge_count(), 4U + 6);
}

TEST(GraphBuild, AnEmptyBodyHasOneEdgeFromTrue) {
    const ReasoningGraph graph = build({block(0, 0, {1})}, 2, 1);
    expect_consistent(graph);
    EXPECT_TRUE(body(graph, 0).empty());
    EXPECT_EQ(graph.edge_count(), 2U);
}

TEST(GraphBuild, AnAtomAndItsNegationAreTwoLiterals) {
    InstanceBlock signs = block(0, 3, {2, 0, 0, 1, 2, 1, InstanceBlock::missing, 0, 2, 1, 1, 1});
    signs.negated = {false, true, true};
    const ReasoningGraph graph = build({std::move(signs)}, 3, 1);
    EXPECT_FALSE(graph.monotone);
    ASSERT_EQ(graph.conjunction_count(), 3U);
    const auto literals = [&](std::uint32_t c) {
        return std::vector(graph.literals(c).begin(), graph.literals(c).end());
    };
    using Literals = std::vector<GraphLiteral>;
    EXPECT_EQ(literals(0), (Literals{GraphLiteral(0), GraphLiteral(0, true), GraphLiteral(1, true)}));
    EXPECT_EQ(literals(1), (Literals{GraphLiteral(0, true), GraphLiteral(1)})) << "one literal of it is missing";
    EXPECT_EQ(literals(2), (Literals{GraphLiteral(1), GraphLiteral(1, true)})) << "twice the same is once";
    EXPECT_EQ(std::vector(graph.uses_of(1).begin(), graph.uses_of(1).end()), (Atoms{0, 1, 2, 2}));
    EXPECT_EQ(graph.edge_count(), 3U + 7);
    EXPECT_TRUE(build({block(0, 1, {2, 0})}, 3, 1).monotone);
}

TEST(GraphBuild, NothingAtAll) {
    const ReasoningGraph graph = build({}, 0, 0);
    EXPECT_EQ(graph.atom_count(), 0U);
    EXPECT_EQ(graph.conjunction_count(), 0U);
    EXPECT_EQ(graph.edge_count(), 0U);
    const ReasoningGraph atoms_only = build({block(0, 1, {})}, 3, 1);
    expect_consistent(atoms_only);
    EXPECT_EQ(atoms_only.atom_count(), 3U);
}

TEST(GraphBuild, DoesNotDependOnTheOrderOfRowsOrTheNumberOfThreads) {
    constexpr std::uint64_t seed = 4;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    for (int round = 0; round < 20; ++round) {
        const std::uint32_t atoms = 1 + rng.below(50);
        std::vector<std::vector<Atoms>> clauses(4);
        for (std::uint32_t c = 0; c < clauses.size(); ++c) {
            for (std::uint32_t i = rng.below(300); i > 0; --i) {
                clauses[c].emplace_back();
                for (std::uint32_t j = 0; j <= c; ++j) clauses[c].back().push_back(rng.below(atoms));
            }
        }
        const auto make = [&](bool shuffle, unsigned threads) {
            std::vector<InstanceBlock> blocks;
            for (std::uint32_t c = 0; c < clauses.size(); ++c) {
                std::vector<Atoms> rows = clauses[c];
                for (std::size_t i = rows.size(); shuffle && i > 1; --i) {
                    std::swap(rows[i - 1], rows[rng.below(static_cast<std::uint32_t>(i))]);
                }
                blocks.push_back(block(c, c, {}));
                for (const Atoms& row : rows) blocks.back().rows.append(row);
            }
            return build(std::move(blocks), atoms, 4, threads);
        };
        const ReasoningGraph first = make(false, 1);
        expect_consistent(first);
        for (unsigned threads : {1U, 3U}) {
            const ReasoningGraph second = make(true, threads);
            EXPECT_TRUE(std::ranges::equal(first.head, second.head));
            EXPECT_TRUE(std::ranges::equal(first.clause, second.clause));
            EXPECT_TRUE(std::ranges::equal(first.body, second.body));
            EXPECT_TRUE(std::ranges::equal(first.body_begin, second.body_begin));
            EXPECT_TRUE(std::ranges::equal(first.use, second.use));
        }
    }
}

}  // namespace
}  // namespace neumann
