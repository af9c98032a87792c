// Sampled probabilities against all worlds of random graphs: intervals hold the exact value about as often as they say.
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "graph/levels.h"
#include "oracle/random_worlds.h"
#include "worlds/world_sampler.h"

namespace neumann::oracle {
namespace {

constexpr std::size_t most_enumerated = 500;
constexpr std::uint64_t samples = 1000;

SampledWorlds sampled(const Puzzle& puzzle, const SampleOptions& options) {
    const ReasoningGraph graph = graph_of(puzzle);
    return WorldSampler(graph, find_levels(graph), task_of(puzzle))
        .sample({graph.initial.span(), graph.weight.span()}, options);
}

TEST(WorldSamplerOracle, IntervalsHoldTheExactValue) {
    std::size_t held = 0;
    std::size_t all = 0;
    for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
        Rng rng(seed);
        const Puzzle puzzle = random_puzzle(rng);
        if (puzzle.worlds() > most_enumerated) continue;
        const std::optional<std::vector<double>> expected =
            WorldEnumeration(puzzle).conditional(puzzle.weight, puzzle.initial);
        const SampledWorlds found = sampled(puzzle, {.samples = samples, .seed = seed});
        if (!expected) {
            EXPECT_EQ(found.agreed, 0U) << "seed " << seed;
            continue;
        }
        if (puzzle.observed.empty()) {
            ASSERT_EQ(found.agreed, samples) << "seed " << seed;
        }
        if (found.agreed < 100) continue;
        for (std::uint32_t a = 0; a < puzzle.atoms; ++a) {
            const double value = (*expected)[a];
            if (value == 0 || value == 1) {
                EXPECT_EQ(found.asked[a], value == 0 ? 0 : found.agreed) << "atom " << a << ", seed " << seed;
                continue;
            }
            const double part = static_cast<double>(found.asked[a]) / static_cast<double>(found.agreed);
            const ValueBounds interval = wilson_interval(part, found.agreed);
            held += interval.low <= value && value <= interval.high ? 1 : 0;
            ++all;
        }
    }
    const double part = static_cast<double>(held) / static_cast<double>(all);
    EXPECT_GT(all, 15'000U);
    EXPECT_GT(part, 0.94) << held << " of " << all;
    EXPECT_LT(part, 0.96) << held << " of " << all;
}

TEST(WorldSamplerOracle, WorldsDependOnTheSeedAlone) {
    Rng rng(7);
    const Puzzle puzzle = random_puzzle(rng);
    const SampledWorlds one = sampled(puzzle, {.samples = 5'000'001, .seed = 3, .threads = 1});
    const SampledWorlds more = sampled(puzzle, {.samples = 5'000'001, .seed = 3, .threads = 3});
    const SampledWorlds others = sampled(puzzle, {.samples = 5'000'001, .seed = 4, .threads = 1});
    EXPECT_EQ(one.agreed, more.agreed);
    EXPECT_EQ(one.asked, more.asked);
    EXPECT_NE(one.asked, others.asked);
}

}  // namespace
}  // namespace neumann::oracle
