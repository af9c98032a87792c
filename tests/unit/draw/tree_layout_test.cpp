#include <algorithm>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "draw/tree_layout.h"

namespace neumann {
namespace {

constexpr double rounding = 1e-6;

// Boxes stand apart, children below their parents, and no edge passes through a box.
void expect_tidy(const std::vector<LayoutNode>& nodes, const TreeLayout& layout) {
    const auto left = [&](std::size_t i) { return layout.places[i].x - nodes[i].width / 2; };
    const auto right = [&](std::size_t i) { return layout.places[i].x + nodes[i].width / 2; };
    const auto bottom = [&](std::size_t i) { return layout.places[i].y + nodes[i].height; };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        EXPECT_GE(left(i), -rounding);
        EXPECT_LE(right(i), layout.width + rounding);
        EXPECT_LE(bottom(i), layout.height + rounding);
        for (const std::uint32_t child : nodes[i].children) EXPECT_GT(layout.places[child].y, bottom(i));
        for (std::size_t j = 0; j < i; ++j) {
            const bool apart = right(i) < left(j) || right(j) < left(i) || bottom(i) < layout.places[j].y ||
                               bottom(j) < layout.places[i].y;
            EXPECT_TRUE(apart) << "boxes " << i << " and " << j;
        }
    }
    for (const TreeLayout::Edge& edge : layout.edges) {
        for (std::size_t r = 1; r + 1 < edge.rows.size(); ++r) {
            const auto& row = edge.rows[r];
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                const bool beside = row.x < left(i) || row.x > right(i);
                const bool elsewhere = row.bottom < layout.places[i].y || row.top > bottom(i);
                EXPECT_TRUE(beside || elsewhere) << "an edge to " << edge.to << " through " << i;
            }
        }
    }
}

TEST(ProofLayout, PutsAParentAboveTheMiddleOfItsChildren) {
    const std::vector<LayoutNode> nodes = {{10, 5, {1, 2}}, {20, 5, {}}, {40, 5, {}}};
    const TreeLayout layout = layout_tree(nodes, {10, 5, 7});
    EXPECT_DOUBLE_EQ(layout.width, 70);
    EXPECT_DOUBLE_EQ(layout.height, 17);
    EXPECT_DOUBLE_EQ(layout.places[0].x, (layout.places[1].x + layout.places[2].x) / 2);
    EXPECT_DOUBLE_EQ(layout.places[2].x - layout.places[1].x, 40);
    EXPECT_EQ(layout.edges.size(), 2U);
}

TEST(ProofLayout, PutsASharedNodeUnderTheLowestOfItsParents) {
    const std::vector<LayoutNode> nodes = {{10, 5, {2, 1}}, {10, 5, {2}}, {10, 5, {}}};
    const TreeLayout layout = layout_tree(nodes);
    expect_tidy(nodes, layout);
    EXPECT_GT(layout.places[2].y, layout.places[1].y);
    ASSERT_EQ(layout.edges.size(), 3U);
    EXPECT_EQ(layout.edges[0].rows.size(), 3U);  // past the row of node 1
}

TEST(ProofLayout, IsTidyForRandomGraphs) {
    std::mt19937 random(1);
    const auto below = [&](unsigned bound) { return static_cast<std::uint32_t>(random() % bound); };
    for (int round = 0; round < 200; ++round) {
        SCOPED_TRACE(round);
        std::vector<LayoutNode> nodes(1 + below(30));
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            nodes[i].width = 1 + below(80);
            nodes[i].height = 1 + below(40);
            for (std::uint32_t parents = i == 0 ? 0 : 1 + below(2); parents > 0; --parents)
                nodes[below(i)].children.push_back(i);
        }
        expect_tidy(nodes, layout_tree(nodes));
    }
}

TEST(ProofLayout, SaysWhatItCannotLayOut) {
    EXPECT_THROW(layout_tree({}), std::invalid_argument);
    EXPECT_THROW(layout_tree({{1, 1, {1}}, {1, 1, {2}}, {1, 1, {1}}}), std::invalid_argument);
}

}  // namespace
}  // namespace neumann
