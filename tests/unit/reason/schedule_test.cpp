// Which atoms are updated when, and how often, on graphs small enough to say so.
#include <initializer_list>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "reason/schedule.h"
#include "unit/small_graph.h"

namespace neumann {
namespace {

using Numbers = std::vector<std::uint32_t>;

struct Expected {
    Numbers atoms;
    bool cyclic = false;
};

void expect_automatic(const ReasoningGraph& graph, const std::vector<Expected>& phases) {
    const Schedule schedule = automatic_schedule(graph, find_levels(graph));
    EXPECT_TRUE(schedule.automatic);
    ASSERT_EQ(schedule.phases.size(), phases.size());
    std::uint32_t cyclic = 0;
    for (std::size_t p = 0; p < phases.size(); ++p) {
        const auto atoms = schedule.atoms_of(schedule.phases[p]);
        EXPECT_EQ(Numbers(atoms.begin(), atoms.end()), phases[p].atoms) << "phase " << p;
        EXPECT_EQ(schedule.phases[p].cyclic, phases[p].cyclic) << "phase " << p;
        cyclic += phases[p].cyclic ? 1 : 0;
    }
    EXPECT_EQ(schedule.cyclic_components, cyclic);
    EXPECT_EQ(schedule.steps, phases.size() - cyclic);
}

// One example; `initial` for each atom.
Numbers repeats(const ReasoningGraph& graph, const std::vector<float>& initial, unsigned width = 1) {
    return find_repeats(graph, automatic_schedule(graph, find_levels(graph)), initial, width);
}

TEST(FixedSchedule, UpdatesAllThatIsDerivedInEveryStep) {
    const Schedule schedule = fixed_schedule(graph_of(5, {{4, 1}, {1, 0}, {1, 3}}), 7);
    EXPECT_EQ(schedule.atoms, (Numbers{1, 4}));
    ASSERT_EQ(schedule.phases.size(), 1U);
    EXPECT_FALSE(schedule.phases[0].cyclic);
    EXPECT_EQ(schedule.steps, 7U);
    EXPECT_FALSE(schedule.automatic);
    EXPECT_EQ(schedule.cyclic_components, 0U);
}

TEST(FixedSchedule, CyclesMakeNoDifference) {
    const Schedule schedule = fixed_schedule(graph_of(2, {{0, 1}, {1, 0}}), 0);
    EXPECT_EQ(schedule.atoms, (Numbers{0, 1}));
    EXPECT_EQ(schedule.phases.size(), 1U);
    EXPECT_EQ(schedule.steps, 0U);
}

TEST(FixedSchedule, StrataComeOneAfterTheOther) {
    const Schedule schedule =
        fixed_schedule(graph_of(5, {{1, 0 + negated_atom}, {2, 3}, {4, 1 + negated_atom, 2}, {3, 0}}), 7);
    EXPECT_EQ(schedule.atoms, (Numbers{2, 3, 1, 4}));
    ASSERT_EQ(schedule.phases.size(), 3U);
    EXPECT_EQ(schedule.phases[1].begin, 2U);
    EXPECT_EQ(schedule.phases[2].begin, 3U);
    EXPECT_EQ(schedule.steps, 7U);
}

TEST(Repeats, ANegatedLiteralIsOneMinusItsValue) {
    // 1 ⇄ 2, begun by \+ 0: in two rounds if 0 is false, in none if it is true.
    const ReasoningGraph graph = graph_of(3, {{1, 0 + negated_atom}, {1, 2}, {2, 1}});
    EXPECT_EQ(repeats(graph, {0, 0, 0}), (Numbers{2}));
    EXPECT_EQ(repeats(graph, {1, 0, 0}), (Numbers{1}));
}

TEST(AutomaticSchedule, AChainIsAPhaseForEachLink) {
    expect_automatic(graph_of(4, {{1, 0}, {2, 1}, {3, 2}}), {{{1}}, {{2}}, {{3}}});
    expect_automatic(graph_of(4, {{2, 3}, {1, 2}, {0, 1}}), {{{2}}, {{1}}, {{0}}});
}

TEST(AutomaticSchedule, ADiamondIsThreePhasesOfOneStep) {
    //   0 → 1, 2 → 3, and 4 from nothing at all.
    expect_automatic(graph_of(5, {{1, 0}, {2, 0}, {3, 1}, {3, 2}, {4}}), {{{1, 2, 4}}, {{3}}});
}

TEST(AutomaticSchedule, ACycleIsOnePhaseAndItsTailFollows) {
    // 0 → 1 ⇄ 2 → 3 → 4
    expect_automatic(graph_of(5, {{1, 0}, {1, 2}, {2, 1}, {3, 2}, {4, 3}}), {{{1, 2}, true}, {{3}}, {{4}}});
}

TEST(AutomaticSchedule, ASelfLoopIsACycle) {
    expect_automatic(graph_of(3, {{1, 0}, {1, 1}, {2, 1}}), {{{1}, true}, {{2}}});
}

TEST(AutomaticSchedule, TwoCyclesOnOneLevelAreTwoPhasesBesideTheRest) {
    // 1 ⇄ 2 and 3 ⇄ 4 know nothing of each other; 5 is on their level.
    expect_automatic(graph_of(6, {{1, 0}, {1, 2}, {2, 1}, {3, 0}, {3, 4}, {4, 3}, {5, 0}}),
                     {{{5}}, {{1, 2}, true}, {{3, 4}, true}});
}

TEST(AutomaticSchedule, OneCycleFeedsAnother) {
    // 3 ⇄ 4 first: the order is that of dependencies, not of numbers.
    expect_automatic(graph_of(5, {{3, 4}, {4, 3}, {1, 2}, {2, 1}, {1, 4}, {3, 0}}), {{{3, 4}, true}, {{1, 2}, true}});
}

TEST(AutomaticSchedule, NothingToDerive) {
    expect_automatic(graph_of(3, {}), {});
    expect_automatic(graph_of(0, {}), {});
}

TEST(FindRepeats, IsOneWithoutCycles) {
    EXPECT_EQ(repeats(graph_of(4, {{1, 0}, {2, 1}, {3, 2}}), {1, 0, 0, 0}), (Numbers{1, 1, 1}));
}

TEST(FindRepeats, GoesOnceAroundARing) {
    // 0 → 1 → 2 → 3 → 0: from one true atom the others follow one by one, and the fourth round would be in vain.
    const ReasoningGraph ring = graph_of(4, {{1, 0}, {2, 1}, {3, 2}, {0, 3}});
    EXPECT_EQ(repeats(ring, {1, 0, 0, 0}), Numbers{3});
    EXPECT_EQ(repeats(ring, {0, 0, 1, 0}), Numbers{3});
    EXPECT_EQ(repeats(ring, {1, 0, 1, 0}), Numbers{1});
}

TEST(FindRepeats, IsAtLeastOne) {
    const ReasoningGraph ring = graph_of(2, {{0, 1}, {1, 0}});
    EXPECT_EQ(repeats(ring, {0, 0}), Numbers{1});
    EXPECT_EQ(repeats(ring, {1, 1}), Numbers{1});
    EXPECT_EQ(repeats(graph_of(1, {{0, 0}}), {0.5F}), Numbers{1});
}

TEST(FindRepeats, WaitsForTheStrongestDerivation) {
    // 0 gives 2 a weak value at once; the strong one comes round by 1, 3 and 4 (4 → 2 closes the cycle 2 → 1).
    const ReasoningGraph graph = graph_of(6, {{2, 0}, {2, 4}, {4, 3}, {3, 1}, {1, 5}, {1, 2}});
    EXPECT_EQ(repeats(graph, {0.3F, 0, 0, 0, 0, 0.9F}), Numbers{4}) << "1, 3, 4, 2 one after the other";
    EXPECT_EQ(repeats(graph, {0.9F, 0, 0, 0, 0, 0.3F}), Numbers{4}) << "2, 1, 3, 4 likewise";
    EXPECT_EQ(repeats(graph, {0, 0, 0, 0, 0, 0}), Numbers{1});
}

TEST(FindRepeats, CountsEachCycleFromWhatIsFinalBelowIt) {
    // 0 → 1 → 2 → 3 → 1, then 3 → 4 ⇄ 5: the second cycle starts when the first is done.
    const ReasoningGraph graph = graph_of(6, {{1, 0}, {2, 1}, {3, 2}, {1, 3}, {4, 3}, {5, 4}, {4, 5}});
    EXPECT_EQ(repeats(graph, {1, 0, 0, 0, 0, 0}), (Numbers{3, 2}));
}

TEST(FindRepeats, IsFoundForEachExampleAlone) {
    const ReasoningGraph ring = graph_of(4, {{1, 0}, {2, 1}, {3, 2}, {0, 3}});
    // Rows of three examples: nothing, one true atom, two of them.
    EXPECT_EQ(repeats(ring, {0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0}, 3), (Numbers{1, 3, 1}));
}

}  // namespace
}  // namespace neumann
