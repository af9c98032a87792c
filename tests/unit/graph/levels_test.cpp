#include <initializer_list>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/levels.h"
#include "unit/small_graph.h"

namespace neumann {
namespace {

using Numbers = std::vector<std::uint32_t>;

GraphLevels levels_of(std::uint32_t atoms, std::initializer_list<Numbers> conjunctions) {
    return find_levels(graph_of(atoms, conjunctions));
}

template <class T>
std::vector<T> values(const SharedArray<T>& array) {
    return {array.begin(), array.end()};
}

TEST(Levels, AnAtomIsOneAboveWhatItDependsOn) {
    // 3 from 1 and 2, 2 from 0, 4 from nothing (an empty body): a conjunction is a step even without a body.
    const GraphLevels levels = levels_of(5, {{3, 1, 2}, {2, 0}, {4}});
    EXPECT_EQ(values(levels.level), (Numbers{0, 0, 1, 2, 1}));
    EXPECT_EQ(levels.level_count(), 3U);
    EXPECT_EQ(values(levels.level_atoms), (Numbers{0, 1, 2, 4, 3}));
    EXPECT_EQ(values(levels.level_begin), (Numbers{0, 2, 4, 5}));
    EXPECT_EQ(levels.cyclic_component_count(), 0U);
}

TEST(Levels, AtomsOnACycleShareAComponentAndALevel) {
    const GraphLevels levels = levels_of(5, {{1, 0}, {1, 2}, {2, 1}, {3, 2}, {4, 4}});
    EXPECT_EQ(levels.component[1], levels.component[2]);
    EXPECT_EQ(values(levels.level), (Numbers{0, 1, 1, 2, 1}));
    EXPECT_EQ(levels.component_count(), 4U);
    EXPECT_EQ(levels.cyclic_component_count(), 2U) << "an atom that depends on itself is a cycle";
}

TEST(Levels, TheLongestWayCounts) {
    EXPECT_EQ(values(levels_of(4, {{3, 0}, {3, 2}, {2, 1}, {1, 0}}).level), (Numbers{0, 1, 2, 3}));
}

TEST(Levels, AStratumForEveryNegationOnTheWay) {
    // 1 ← \+ 0, 2 ← 1, 3 ← \+ 2, 0, and 4 ⇄ 5 above 3.
    const ReasoningGraph graph =
        graph_of(6, {{1, 0 + negated_atom}, {2, 1}, {3, 2 + negated_atom, 0}, {4, 5, 3}, {5, 4, 0 + negated_atom}});
    EXPECT_EQ(find_strata(graph, find_levels(graph)), (Numbers{0, 1, 1, 2, 2, 2}));
    const ReasoningGraph positive = graph_of(2, {{1, 0}});
    EXPECT_EQ(find_strata(positive, find_levels(positive)), (Numbers{0, 0}));
    const ReasoningGraph cycle = graph_of(2, {{1, 0 + negated_atom}, {0, 1}});
    EXPECT_THROW(find_strata(cycle, find_levels(cycle)), std::invalid_argument);
}

TEST(Levels, NoAtomsNoLevels) {
    const GraphLevels levels = levels_of(0, {});
    EXPECT_EQ(levels.level_count(), 0U);
    EXPECT_EQ(levels.component_count(), 0U);
}

}  // namespace
}  // namespace neumann
