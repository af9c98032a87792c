// How far the values of other semantics are from exact probabilities, on random graphs: the table of docs/semantics.md.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/levels.h"
#include "oracle/every_semantics.h"
#include "oracle/random_worlds.h"
#include "reason/reasoner.h"

namespace neumann::oracle {
namespace {

constexpr std::size_t most_enumerated = 500;
constexpr double rounding = 1e-9;

class ExactGap : public testing::TestWithParam<Semantics> {};
INSTANTIATE_TEST_SUITE_P(Each, ExactGap, every_semantics(), semantics_name);

// The best proof is one way of several, and no less probable than its product, unless it needs what excludes each
// other.
bool best_proof_is_lower_bound(const Puzzle& puzzle, const ReasoningGraph& graph) {
    return graph.monotone && puzzle.exclusive.empty() &&
           std::ranges::none_of(puzzle.disjunction, [](OptionalIndex one) { return one.has_value(); });
}

struct Gap {
    double sum = 0;
    double most = 0;
    std::size_t atoms = 0;

    void add(double error) {
        sum += error;
        most = std::max(most, error);
        ++atoms;
    }
    std::string text() const {
        return fmt::format("{} atoms off by {:.3f} on average, {:.2f} at most", atoms, sum / static_cast<double>(atoms),
                           most);
    }
};

TEST_P(ExactGap, IsAsDocumented) {
    const SemanticsInfo& semantics = info(GetParam());
    ReasonOptions options;
    options.semantics = GetParam();
    if (semantics.needs_steps) options.steps = 10;
    Gap without_cycles;
    Gap with_cycles;
    for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
        Rng rng(seed);
        Puzzle puzzle = random_puzzle(rng);
        puzzle.observed.clear();
        if (puzzle.worlds() > most_enumerated) continue;
        const std::vector<double> expected = *WorldEnumeration(puzzle).conditional(puzzle.weight, puzzle.initial);
        const ReasoningGraph graph = graph_of(puzzle);
        Gap& gap = find_levels(graph).cyclic_component_count() == 0 ? without_cycles : with_cycles;
        const auto reasoner = make_reasoner("reference", graph, options);
        const Pass pass = reasoner->forward(InputBatch(1), puzzle.weight);
        std::vector<double> values(puzzle.atoms);
        pass.values(0, values);
        for (std::uint32_t a = 0; a < puzzle.atoms; ++a) {
            if (semantics.name == "max-product" && best_proof_is_lower_bound(puzzle, graph)) {
                ASSERT_LE(values[a], expected[a] + rounding) << "atom " << a << ", seed " << seed;
            }
            const bool derived = graph.in_begin[a] != graph.in_begin[a + 1];
            const bool uncertain = expected[a] > rounding && expected[a] < 1 - rounding;
            if (derived && uncertain) gap.add(std::abs(values[a] - expected[a]));
        }
    }
    fmt::print("{}, seeds 1 to 10000\nwithout cycles: {}\nwith cycles: {}\n", semantics.name, without_cycles.text(),
               with_cycles.text());
    EXPECT_GT(std::min(without_cycles.atoms, with_cycles.atoms), 1'000U);
}

}  // namespace
}  // namespace neumann::oracle
