#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/components.h"
#include "base/rng.h"

namespace neumann {
namespace {

using Adjacency = std::vector<std::vector<std::uint32_t>>;

Components components_of(const Adjacency& graph) {
    return find_components(
        static_cast<std::uint32_t>(graph.size()), [&](std::uint32_t node) -> const auto& { return graph[node]; });
}

TEST(Components, NothingHasNone) { EXPECT_EQ(components_of({}).count, 0U); }

TEST(Components, NodesOnACycleBelongTogether) {
    const Components found = components_of({{1}, {2}, {0, 3}, {3}, {}});
    EXPECT_EQ(found.count, 3U);
    EXPECT_EQ(found.component[0], found.component[1]);
    EXPECT_EQ(found.component[1], found.component[2]);
    EXPECT_NE(found.component[2], found.component[3]);
}

TEST(Components, SuccessorsComeFirst) {
    const Components found = components_of({{1}, {2}, {}});
    EXPECT_GT(found.component[0], found.component[1]);
    EXPECT_GT(found.component[1], found.component[2]);
}

// A path long enough that recursion would exhaust the stack.
TEST(Components, LongPathsNeedNoStack) {
    Adjacency path(1'000'000);
    for (std::uint32_t i = 0; i + 1 < path.size(); ++i) path[i] = {i + 1};
    EXPECT_EQ(components_of(path).count, path.size());
}

// Oracle: two nodes share a component exactly if each reaches the other.
TEST(Components, AgreeWithReachabilityOnRandomGraphs) {
    constexpr std::uint64_t seed = 11;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    for (int round = 0; round < 200; ++round) {
        const std::uint32_t nodes = 1 + rng.below(8);
        Adjacency graph(nodes);
        std::vector<std::vector<bool>> reaches(nodes, std::vector<bool>(nodes, false));
        for (std::uint32_t a = 0; a < nodes; ++a) {
            reaches[a][a] = true;
            for (std::uint32_t b = 0; b < nodes; ++b) {
                if (!rng.chance(0.2)) continue;
                graph[a].push_back(b);
                reaches[a][b] = true;
            }
        }
        for (std::uint32_t via = 0; via < nodes; ++via) {
            for (std::uint32_t a = 0; a < nodes; ++a) {
                for (std::uint32_t b = 0; b < nodes; ++b) {
                    if (reaches[a][via] && reaches[via][b]) reaches[a][b] = true;
                }
            }
        }
        const Components found = components_of(graph);
        for (std::uint32_t a = 0; a < nodes; ++a) {
            for (std::uint32_t b = 0; b < nodes; ++b) {
                ASSERT_EQ(found.component[a] == found.component[b], reaches[a][b] && reaches[b][a]);
                if (reaches[a][b]) {
                    ASSERT_GE(found.component[a], found.component[b]);
                }
            }
        }
    }
}

}  // namespace
}  // namespace neumann
