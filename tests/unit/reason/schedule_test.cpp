// Which atoms are updated when, and how often, on graphs small enough to say so.
#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "reason/repeats.h"
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
    return find_repeats(graph, automatic_schedule(graph, find_levels(graph)), initial, width, width);
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

// Round by round from all conjunctions, as minimum and maximum are defined.
Numbers repeats_by_definition(const ReasoningGraph& graph, const Schedule& schedule, std::vector<float> values) {
    Numbers result;
    const std::vector<float> initial = values;
    for (const Phase& phase : schedule.phases) {
        std::uint32_t last_change = 1;
        for (std::uint32_t round = 1;; ++round) {
            const std::vector<float> before = values;
            for (const std::uint32_t atom : schedule.atoms_of(phase)) {
                values[atom] = initial[atom];
                for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c) {
                    float weakest = 1;
                    for (const GraphLiteral literal : graph.literals(c))
                        weakest = std::min(weakest, before[literal.atom()]);
                    values[atom] = std::max(values[atom], weakest);
                }
            }
            if (!phase.cyclic || values == before) break;
            last_change = round;
        }
        result.push_back(last_change);
    }
    return result;
}

TEST(FindRepeats, IsWhatItsDefinitionSaysOnRandomGraphs) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        Rng rng(seed);
        const std::uint32_t atoms = 2 + rng.below(20);
        GraphInput input;
        for (std::uint32_t c = rng.below(4 * atoms); c > 0; --c) {
            InstanceBlock block;
            block.width = rng.below(3);
            for (std::uint32_t i = 0; i <= block.width; ++i) block.rows.push_back(rng.below(atoms));
            block.may_collapse = true;
            input.blocks.push_back(std::move(block));
        }
        input.initial = PodVector<float>(atoms, 0.0F);
        input.weight = PodVector<double>(1, 1.0);
        const ReasoningGraph graph = build_graph(std::move(input), 1);
        const Schedule schedule = automatic_schedule(graph, find_levels(graph));
        constexpr unsigned width = 4;
        constexpr unsigned examples = 3;
        std::vector<std::vector<float>> initial(examples, std::vector<float>(atoms, 0.0F));
        std::vector<float> rows(atoms * width, 1.0F);
        for (unsigned e = 0; e < examples; ++e) {
            for (std::uint32_t a = 0; a < atoms; ++a) {
                if (rng.chance(0.3)) initial[e][a] = static_cast<float>(1 + rng.below(4)) / 4;
                rows[a * width + e] = initial[e][a];
            }
        }
        const Numbers found = find_repeats(graph, schedule, rows, width, examples);
        for (unsigned e = 0; e < examples; ++e) {
            const Numbers expected = repeats_by_definition(graph, schedule, initial[e]);
            for (std::size_t p = 0; p < expected.size(); ++p)
                ASSERT_EQ(found[p * width + e], expected[p]) << "example " << e << ", phase " << p;
        }
        for (std::size_t p = 0; p < schedule.phases.size(); ++p) ASSERT_EQ(found[p * width + examples], 1U);
    }
}

TEST(AutomaticSchedule, StepsOfPhasesSideBySideCountOnce) {
    // 1 ⇄ 2, 3 ⇄ 4 and 5 side by side, then 6.
    const ReasoningGraph graph = graph_of(7, {{1, 0}, {1, 2}, {2, 1}, {3, 0}, {3, 4}, {4, 3}, {5, 0}, {6, 5}, {6, 4}});
    const Schedule schedule = automatic_schedule(graph, find_levels(graph));
    ASSERT_EQ(schedule.phases.size(), 4U);
    EXPECT_EQ(schedule.count_steps(Numbers{1, 2, 5, 1}), 6U);
    std::vector<Numbers> steps(1);
    schedule.for_each_step(
        Numbers{1, 2, 3, 1},
        [&](std::uint32_t phase, std::uint32_t round) { steps.back().push_back(10 * phase + round); },
        [&] { steps.emplace_back(); });
    EXPECT_EQ(steps, (std::vector<Numbers>{{1, 11, 21}, {12, 22}, {23}, {31}, {}}));
    EXPECT_EQ(schedule.phase_of(4), 2U);
    EXPECT_EQ(schedule.place[0], Schedule::nowhere);
}

}  // namespace
}  // namespace neumann
