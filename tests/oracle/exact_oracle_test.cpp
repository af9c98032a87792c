// Exact probabilities against the distribution semantics by its definition: all worlds of random graphs.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/levels.h"
#include "oracle/random_worlds.h"
#include "worlds/compile.h"
#include "worlds/semantics/exact.h"

namespace neumann::oracle {
namespace {

constexpr double double_tolerance = 1e-9;    // docs/semantics.md: the reference engine
constexpr double float_tolerance = 1e-5;     // … and the graph engine
constexpr double gradient_tolerance = 1e-5;  // against finite differences
constexpr double float_gradient_tolerance = 1e-4;
constexpr std::size_t most_worlds = 3000;

std::unique_ptr<GraphReasoner> reasoner_for(const Puzzle& puzzle, const char* engine) {
    const ReasoningGraph graph = graph_of(puzzle);
    const GraphLevels levels = find_levels(graph);
    WorldsTask task = task_of(puzzle);
    Circuit circuit = compile_circuit(graph, levels, task, {});
    ReasonOptions options;
    options.semantics = circuit_semantics();
    return make_exact_reasoner(engine, graph, levels,
                               std::make_shared<CompiledTask>(CompiledTask{std::move(task), std::move(circuit)}),
                               options);
}

// What differs; empty: nothing.
std::string compare_values(const Puzzle& puzzle, const char* engine, double tolerance,
                           const std::vector<double>& expected) {
    const std::unique_ptr<GraphReasoner> reasoner = reasoner_for(puzzle, engine);
    const Pass pass = reasoner->forward(InputBatch(1), puzzle.weight);
    std::vector<double> values(puzzle.atoms);
    pass.values(0, values);
    for (std::uint32_t a = 0; a < puzzle.atoms; ++a) {
        if (std::abs(values[a] - expected[a]) > tolerance)
            return fmt::format("{} engine, atom {}: {} where {} is expected", engine, a, values[a], expected[a]);
    }
    return {};
}

std::string compare_gradients(const Puzzle& puzzle, const char* engine, double tolerance, WorldEnumeration& worlds,
                              std::uint32_t asked) {
    const std::unique_ptr<GraphReasoner> reasoner = reasoner_for(puzzle, engine);
    const Pass pass = reasoner->forward(InputBatch(1), puzzle.weight, {.keep = Keep::Backward});
    InputBatch::Builder seeds(1);
    seeds.add(0, asked, 1.0F);
    std::vector<double> by_atom(puzzle.atoms);
    std::vector<double> by_clause(puzzle.weight.size());
    reasoner->backward(pass, seeds.build(), {.by_atom = by_atom, .by_clause = by_clause});
    constexpr double step = 1e-5;
    const auto slope = [&](auto&& value_at) { return (value_at(step) - value_at(-step)) / (2 * step); };
    const auto check = [&](const char* kind, std::size_t number, double found, double expected) {
        return std::abs(found - expected) <= tolerance * std::max(1.0, std::abs(expected))
                   ? std::string()
                   : fmt::format("gradient of atom {} by {} {}: {} where {} is expected", asked, kind, number, found,
                                 expected);
    };
    std::string wrong;
    for (std::uint32_t a = 0; a < puzzle.atoms && wrong.empty(); ++a) {
        if (!(puzzle.initial[a] > 0 && puzzle.initial[a] < 1)) continue;
        std::vector<double> initial = puzzle.initial;
        wrong = check("fact", a, by_atom[a], slope([&](double by) {
                          initial[a] = puzzle.initial[a] + by;
                          return (*worlds.conditional(puzzle.weight, initial))[asked];
                      }));
    }
    for (std::size_t k = 0; k < puzzle.weight.size() && wrong.empty(); ++k) {
        if (puzzle.weight[k] == 1) continue;
        std::vector<double> weight = puzzle.weight;
        wrong = check("clause", k, by_clause[k], slope([&](double by) {
                          weight[k] = puzzle.weight[k] + by;
                          return (*worlds.conditional(weight, puzzle.initial))[asked];
                      }));
    }
    return wrong;
}

TEST(ExactOracle, ProbabilitiesAreThoseOfAllWorlds) {
    int compared = 0;
    int impossible = 0;
    for (std::uint64_t seed = 1; compared < 20'000; ++seed) {
        Rng rng(seed);
        const Puzzle puzzle = random_puzzle(rng);
        if (puzzle.worlds() > most_worlds) continue;
        WorldEnumeration worlds(puzzle);
        const std::optional<std::vector<double>> expected = worlds.conditional(puzzle.weight, puzzle.initial);
        if (!expected) {
            ++impossible;
            EXPECT_THROW(compare_values(puzzle, "reference", 1, {}), ReasonError) << "seed " << seed;
            continue;
        }
        ++compared;
        std::string wrong = compare_values(puzzle, "reference", double_tolerance, *expected);
        if (wrong.empty() && compared % 4 == 0) wrong = compare_values(puzzle, "graph", float_tolerance, *expected);
        if (wrong.empty() && compared % 20 == 0 && puzzle.worlds() < 500)
            wrong = compare_gradients(puzzle, "reference", gradient_tolerance, worlds, rng.below(puzzle.atoms));
        if (wrong.empty() && compared % 20 == 10 && puzzle.worlds() < 500)
            wrong = compare_gradients(puzzle, "graph", float_gradient_tolerance, worlds, rng.below(puzzle.atoms));
        ASSERT_EQ(wrong, "") << "seed " << seed;
    }
    EXPECT_GT(impossible, 100);
}

}  // namespace
}  // namespace neumann::oracle
