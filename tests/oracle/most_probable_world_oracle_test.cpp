// The most probable world against all worlds of random graphs.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/levels.h"
#include "oracle/random_worlds.h"
#include "reason/reason_error.h"
#include "worlds/compile.h"
#include "worlds/most_probable_world.h"

namespace neumann::oracle {
namespace {

constexpr double rounding = 1e-12;
constexpr std::size_t most_enumerated = 1000;

// The best of all worlds, and what the next one lacks to it.
struct Best {
    double probability = 0;
    double lead = 0;
    double sum = 0;  // of all
    std::vector<bool> holds;
};

Best best_world(const Puzzle& puzzle) {
    Best best;
    WorldEnumeration(puzzle).for_each(puzzle.weight, puzzle.initial,
                                      [&](double probability, const std::vector<bool>& holds) {
                                          best.sum += probability;
                                          if (probability <= best.probability) {
                                              best.lead = std::min(best.lead, best.probability - probability);
                                              return;
                                          }
                                          best = {probability, probability - best.probability, best.sum, holds};
                                      });
    return best;
}

ProbableWorld found_world(const Puzzle& puzzle) {
    const ReasoningGraph graph = graph_of(puzzle);
    const WorldsTask task = task_of(puzzle);
    const RandomChoices choices(graph, task);
    const CompiledWorlds worlds = compile_diagrams(graph, find_levels(graph), task, choices, {});
    return most_probable_world(choices, worlds, {graph.initial.span(), graph.weight.span()});
}

// What differs; empty: nothing.
std::string compare(const Puzzle& puzzle, const Best& best) {
    const ProbableWorld found = found_world(puzzle);
    if (std::abs(found.probability - best.probability) > rounding)
        return fmt::format("probability {} where {} is expected", found.probability, best.probability);
    if (std::abs(found.evidence - best.sum) > rounding)
        return fmt::format("evidence of probability {} where {} is expected", found.evidence, best.sum);
    for (const GraphLiteral literal : puzzle.observed)
        if (found.asked[literal.atom()] == literal.negated()) return "it does not agree with the evidence";
    if (best.lead > rounding && found.asked != best.holds) return "other atoms hold in it";
    return {};
}

TEST(MostProbableWorldOracle, NoWorldIsMoreProbable) {
    int compared = 0;
    int alone = 0;
    for (std::uint64_t seed = 1; compared < 5'000; ++seed) {
        Rng rng(seed);
        const Puzzle puzzle = random_puzzle(rng);
        if (puzzle.worlds() > most_enumerated) continue;
        const Best best = best_world(puzzle);
        if (best.sum <= 0) {
            EXPECT_THROW(found_world(puzzle), ReasonError) << "seed " << seed;
            continue;
        }
        ++compared;
        alone += best.lead > rounding ? 1 : 0;
        ASSERT_EQ(compare(puzzle, best), "") << "seed " << seed;
    }
    EXPECT_GT(alone, 4'000);
}

}  // namespace
}  // namespace neumann::oracle
