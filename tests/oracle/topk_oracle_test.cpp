// The most probable proofs against all worlds of random graphs: bounds hold the exact value, all proofs have it, and
// gradients are the slopes of values.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/levels.h"
#include "oracle/random_worlds.h"
#include "worlds/semantics/topk.h"

namespace neumann::oracle {
namespace {

constexpr double tolerance = 1e-9;
constexpr std::size_t most_worlds = 3000;
constexpr std::uint32_t most_merged = 64;  // more proofs are searched for

std::unique_ptr<GraphReasoner> reasoner_for(const Puzzle& puzzle, const TopkOptions& topk) {
    const ReasoningGraph graph = graph_of(puzzle);
    ReasonOptions options;
    options.semantics = circuit_semantics();
    options.threads = 1;
    return make_topk_reasoner(graph, find_levels(graph), task_of(puzzle), options, topk);
}

// Functions of very few nodes: nearly everything is cut away.
TopkOptions with_small_diagrams(std::uint32_t k, std::size_t nodes) {
    TopkOptions options;
    options.k = k;
    options.bounding.exact_steps = 0;
    options.bounding.most_nodes = nodes;
    return options;
}

struct Counts {
    std::size_t atoms = 0;
    std::size_t met = 0;  // both bounds are the exact value
};

// What is wrong; empty: nothing.
std::string check_bounds(const Puzzle& puzzle, const TopkOptions& topk, const std::vector<double>& exact,
                         Counts& counts) {
    const std::unique_ptr<GraphReasoner> reasoner = reasoner_for(puzzle, topk);
    const Pass pass = reasoner->forward(InputBatch(1), puzzle.weight);
    std::vector<double> values(puzzle.atoms);
    pass.values(0, values);
    for (std::uint32_t a = 0; a < puzzle.atoms; ++a) {
        const ValueBounds bounds = pass.bounds(a, 0);
        const bool sound = bounds.low <= exact[a] + tolerance && exact[a] <= bounds.high + tolerance;
        const bool value_fits = topk.tightest ? values[a] <= bounds.low + tolerance : values[a] == bounds.low;
        if (!sound || !value_fits || !(bounds.low >= 0 && bounds.high <= 1))
            return fmt::format("k = {}, atom {}: {} in {} to {} where {} is exact", topk.k, a, values[a], bounds.low,
                               bounds.high, exact[a]);
        ++counts.atoms;
        counts.met += bounds.high - bounds.low <= tolerance ? 1 : 0;
    }
    return {};
}

TEST(TopkOracle, BoundsHoldTheExactValue) {
    Counts all_proofs;
    Counts merged;
    Counts one_proof;
    Counts searched;
    Counts small;
    int compared = 0;
    int impossible = 0;
    for (std::uint64_t seed = 1; compared < 20'000; ++seed) {
        Rng rng(seed);
        const Puzzle puzzle = random_puzzle(rng);
        if (puzzle.worlds() > most_worlds) continue;
        const std::optional<std::vector<double>> exact =
            WorldEnumeration(puzzle).conditional(puzzle.weight, puzzle.initial);
        if (!exact) {
            ++impossible;
            EXPECT_THROW(check_bounds(puzzle, {}, {}, small), ReasonError) << "seed " << seed;
            continue;
        }
        ++compared;
        std::string wrong = check_bounds(puzzle, {.k = 1000}, *exact, all_proofs);
        if (wrong.empty()) wrong = check_bounds(puzzle, {.k = most_merged}, *exact, merged);
        if (wrong.empty()) wrong = check_bounds(puzzle, {.k = 1}, *exact, one_proof);
        if (wrong.empty()) wrong = check_bounds(puzzle, {.k = 2, .most_merged = 0}, *exact, searched);
        for (const std::uint32_t k : {1U, 2U, 5U, 1000U})
            if (wrong.empty()) wrong = check_bounds(puzzle, with_small_diagrams(k, 1 + rng.below(6)), *exact, small);
        TopkOptions tightest = with_small_diagrams(2, 1 + rng.below(6));
        tightest.tightest = true;
        if (wrong.empty()) wrong = check_bounds(puzzle, tightest, *exact, small);
        ASSERT_EQ(wrong, "") << "seed " << seed;
    }
    EXPECT_GT(impossible, 100);
    EXPECT_EQ(all_proofs.met, all_proofs.atoms);  // 1,000 proofs are all that there are
    EXPECT_EQ(merged.met, merged.atoms);          // and so are 64
    EXPECT_LT(one_proof.met, one_proof.atoms);
    EXPECT_LT(small.met, small.atoms);
    fmt::print("bounds meet with one proof: {} of {}, with small diagrams: {} of {}\n", one_proof.met, one_proof.atoms,
               small.met, small.atoms);
}

// Where proofs share choices both are only nearly the most probable.
TEST(TopkOracle, MergedProofsAreAsGoodAsSearchedOnes) {
    double merged = 0;
    double searched = 0;
    int compared = 0;
    for (std::uint64_t seed = 1; compared < 2000; ++seed) {
        Rng rng(seed);
        const Puzzle puzzle = random_puzzle(rng);
        if (puzzle.worlds() > most_worlds) continue;
        if (!WorldEnumeration(puzzle).conditional(puzzle.weight, puzzle.initial)) continue;
        ++compared;
        for (const std::uint32_t k : {1U, 2U, 5U}) {
            const auto values_of = [&](std::uint32_t most) {
                std::vector<double> values(puzzle.atoms);
                reasoner_for(puzzle, {.k = k, .most_merged = most})
                    ->forward(InputBatch(1), puzzle.weight)
                    .values(0, values);
                return values;
            };
            for (const double value : values_of(most_merged)) merged += value;
            for (const double value : values_of(0)) searched += value;
        }
    }
    EXPECT_NEAR(merged / searched, 1, 0.002);
}

double value_of(const Puzzle& puzzle, const TopkOptions& topk, std::uint32_t atom) {
    const Pass pass = reasoner_for(puzzle, topk)->forward(InputBatch(1), puzzle.weight);
    double value = 0;
    pass.outputs({&atom, 1}, std::span(&value, 1));
    return value;
}

// Of few proofs the set may change within a step: then the slopes on the two sides differ.
struct Slopes {
    double up;
    double down;
    double middle() const { return (up + down) / 2; }
    bool agree() const { return std::abs(up - down) < 0.01; }
};

// `parameter` gives the number to change in a puzzle.
template <class Parameter>
Slopes slopes_of(const Puzzle& puzzle, const TopkOptions& topk, std::uint32_t asked, const Parameter& parameter) {
    constexpr double step = 0x1p-12;
    const double value = value_of(puzzle, topk, asked);
    const auto slope = [&](double by) {
        Puzzle changed = puzzle;
        double& number = parameter(changed);
        const double before = number;
        number = static_cast<double>(static_cast<float>(number + by));
        return (value_of(changed, topk, asked) - value) / (number - before);
    };
    return {slope(step), slope(-step)};
}

std::string check_gradients(const Puzzle& puzzle, const TopkOptions& topk, std::uint32_t asked, int& checked) {
    const std::unique_ptr<GraphReasoner> reasoner = reasoner_for(puzzle, topk);
    const Pass pass = reasoner->forward(InputBatch(1), puzzle.weight, {.keep = Keep::Backward});
    InputBatch::Builder seeds(1);
    seeds.add(0, asked, 1.0F);
    std::vector<double> by_atom(puzzle.atoms);
    std::vector<double> by_clause(puzzle.weight.size());
    reasoner->backward(pass, seeds.build(), {.by_atom = by_atom, .by_clause = by_clause});
    const auto check = [&](const char* kind, std::size_t number, double found, const auto& parameter) {
        const Slopes slopes = slopes_of(puzzle, topk, asked, parameter);
        if (!slopes.agree()) return std::string();
        ++checked;
        if (std::abs(found - slopes.middle()) <= 1e-4 * std::max(1.0, std::abs(found))) return std::string();
        return fmt::format("k = {}, gradient of atom {} by {} {}: {} where {} is expected", topk.k, asked, kind, number,
                           found, slopes.middle());
    };
    for (std::uint32_t a = 0; a < puzzle.atoms; ++a) {
        if (!(puzzle.initial[a] > 0 && puzzle.initial[a] < 1)) continue;
        const auto fact = [a](Puzzle& of) -> double& { return of.initial[a]; };
        if (std::string wrong = check("fact", a, by_atom[a], fact); !wrong.empty()) return wrong;
    }
    for (std::size_t c = 0; c < puzzle.weight.size(); ++c) {
        if (puzzle.weight[c] == 1) continue;
        const auto weight = [c](Puzzle& of) -> double& { return of.weight[c]; };
        if (std::string wrong = check("clause", c, by_clause[c], weight); !wrong.empty()) return wrong;
    }
    return {};
}

TEST(TopkOracle, GradientsAreSlopes) {
    int checked = 0;
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        Rng rng(seed);
        const Puzzle puzzle = random_puzzle(rng);
        if (puzzle.worlds() > most_worlds) continue;
        if (!WorldEnumeration(puzzle).conditional(puzzle.weight, puzzle.initial)) continue;
        const std::uint32_t asked = rng.below(puzzle.atoms);
        std::string wrong = check_gradients(puzzle, {.k = 1000}, asked, checked);
        if (wrong.empty()) wrong = check_gradients(puzzle, {.k = most_merged}, asked, checked);
        if (wrong.empty()) wrong = check_gradients(puzzle, {.k = 2}, asked, checked);
        ASSERT_EQ(wrong, "") << "seed " << seed;
    }
    EXPECT_GT(checked, 5000);
}

}  // namespace
}  // namespace neumann::oracle
