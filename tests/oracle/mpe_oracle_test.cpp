// Most probable explanations against all worlds of random graphs: values by their definition, and gradients as slopes.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
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
#include "worlds/compile.h"
#include "worlds/world_semantics.h"

namespace neumann::oracle {
namespace {

constexpr double rounding = 1e-12;
constexpr std::size_t most_enumerated = 500;

std::unique_ptr<GraphReasoner> mpe_reasoner(const Puzzle& puzzle, std::vector<std::uint32_t> asked) {
    const ReasoningGraph graph = graph_of(puzzle);
    const GraphLevels levels = find_levels(graph);
    WorldsTask task = task_of(puzzle);
    task.asked = std::move(asked);
    const auto compile = [&] {
        RandomChoices choices(graph, task);
        CompiledWorlds worlds = compile_diagrams(graph, levels, task, choices, {});
        return std::make_shared<const WorldDiagrams>(WorldDiagrams{task, std::move(choices), std::move(worlds)});
    };
    ReasonOptions options;
    options.semantics = circuit_semantics();
    return find_world_semantics("mpe")->make(
        {.graph = graph, .levels = levels, .task = task, .reason = options, .diagrams = compile});
}

double mpe_of(const Puzzle& puzzle, std::uint32_t asked) {
    const Pass pass = mpe_reasoner(puzzle, {asked})->forward(InputBatch(1), puzzle.weight);
    double value = 0;
    pass.outputs({&asked, 1}, std::span(&value, 1));
    return value;
}

// All worlds, with and without the evidence: a way of each choice, and which atoms hold with the evidence.
class Worlds {
public:
    explicit Worlds(const Puzzle& puzzle) : puzzle_(puzzle) {
        Puzzle free = puzzle;
        free.observed.clear();
        WorldEnumeration(free).for_each(puzzle.weight, puzzle.initial, [&](double, const std::vector<bool>& holds) {
            const bool agrees = std::ranges::all_of(
                puzzle.observed, [&](GraphLiteral literal) { return holds[literal.atom()] != literal.negated(); });
            holds_.push_back(agrees ? holds : std::vector<bool>(puzzle.atoms, false));
        });
        strides_.assign(puzzle.choices.size(), 1);
        for (std::size_t i = puzzle.choices.size(); i-- > 1;) strides_[i - 1] = strides_[i] * ways(i);
    }

    // The most probable explanation, not yet divided by the probability of the evidence.
    double explain(std::uint32_t atom) const {
        std::vector<std::vector<double>> chances;  // per choice and way: of all ways that make no difference to it
        for (std::size_t i = 0; i < puzzle_.choices.size(); ++i) {
            const std::vector<double> own = probabilities(i);
            std::vector<double>& sums = chances.emplace_back(own.size(), 0.0);
            for (std::size_t a = 0; a < own.size(); ++a)
                for (std::size_t b = 0; b < own.size(); ++b) sums[a] += same(atom, i, a, b) ? own[b] : 0;
        }
        double best = 0;
        for (std::size_t world = 0; world < holds_.size(); ++world) {
            if (!holds_[world][atom]) continue;
            double product = 1;
            for (std::size_t i = 0; i < chances.size(); ++i) product *= chances[i][way(world, i)];
            best = std::max(best, product);
        }
        return best;
    }

private:
    // In the order of the enumeration: the members, then that none of them happens.
    std::size_t ways(std::size_t choice) const { return puzzle_.choices[choice].members.size() + 1; }
    std::size_t way(std::size_t world, std::size_t choice) const { return world / strides_[choice] % ways(choice); }
    std::vector<double> probabilities(std::size_t choice) const {
        std::vector<double> result;
        double rest = 1;
        for (const Puzzle::Choice::Member& member : puzzle_.choices[choice].members) {
            result.push_back(member.is_clause ? puzzle_.weight[member.number] : puzzle_.initial[member.number]);
            rest -= result.back();
        }
        result.push_back(std::max(rest, 0.0));
        return result;
    }
    bool same(std::uint32_t atom, std::size_t choice, std::size_t a, std::size_t b) const {
        for (std::size_t world = 0; world < holds_.size(); ++world)
            if (way(world, choice) == a && holds_[world][atom] != holds_[world + (b - a) * strides_[choice]][atom])
                return false;
        return true;
    }

    const Puzzle& puzzle_;
    std::vector<std::vector<bool>> holds_;  // per world
    std::vector<std::size_t> strides_;      // per choice
};

// What differs; empty: nothing.
std::string compare(const Puzzle& puzzle, const std::vector<double>& joint) {
    std::vector<double> values(puzzle.atoms);
    mpe_reasoner(puzzle, task_of(puzzle).asked)->forward(InputBatch(1), puzzle.weight).values(0, values);
    const Worlds worlds(puzzle);
    for (std::uint32_t a = 0; a < puzzle.atoms; ++a) {
        const double expected = worlds.explain(a) / joint[0];
        if (std::abs(values[a] - expected) > rounding)
            return fmt::format("atom {}: {} where {} is expected", a, values[a], expected);
        if (values[a] > joint[a + 1] / joint[0] + rounding)
            return fmt::format("atom {}: {} is more than its probability {}", a, values[a], joint[a + 1] / joint[0]);
    }
    const auto alone = static_cast<std::uint32_t>(puzzle.atoms / 2);
    if (const double value = mpe_of(puzzle, alone); std::abs(value - values[alone]) > rounding)
        return fmt::format("atom {}: {} alone, {} among others", alone, value, values[alone]);
    return {};
}

TEST(MpeOracle, ValuesAreThoseOfTheDefinition) {
    int compared = 0;
    int impossible = 0;
    for (std::uint64_t seed = 1; compared < 10'000; ++seed) {
        Rng rng(seed);
        const Puzzle puzzle = random_puzzle(rng);
        if (puzzle.worlds() > most_enumerated) continue;
        const std::vector<double> joint = WorldEnumeration(puzzle).joint(puzzle.weight, puzzle.initial);
        if (joint[0] <= 0) {
            ++impossible;
            EXPECT_THROW(mpe_of(puzzle, 0), ReasonError) << "seed " << seed;
            continue;
        }
        ++compared;
        ASSERT_EQ(compare(puzzle, joint), "") << "seed " << seed;
    }
    EXPECT_GT(impossible, 10);
}

// Where the best explanation changes within a step the slopes on the two sides differ.
std::optional<double> slope_of(const Puzzle& puzzle, std::uint32_t asked,
                               const std::function<double&(Puzzle&)>& parameter) {
    const double value = mpe_of(puzzle, asked);
    std::vector<double> slopes;
    for (const double step : {0x1p-12, -0x1p-12}) {
        Puzzle changed = puzzle;
        double& number = parameter(changed);
        const double before = number;
        number = static_cast<double>(static_cast<float>(number + step));
        slopes.push_back((mpe_of(changed, asked) - value) / (number - before));
    }
    if (std::abs(slopes[0] - slopes[1]) > 0.01) return std::nullopt;
    return (slopes[0] + slopes[1]) / 2;
}

std::string check_gradients(const Puzzle& puzzle, std::uint32_t asked, int& checked) {
    const std::unique_ptr<GraphReasoner> reasoner = mpe_reasoner(puzzle, {asked});
    const Pass pass = reasoner->forward(InputBatch(1), puzzle.weight, {.keep = Keep::Backward});
    InputBatch::Builder seeds(1);
    seeds.add(0, asked, 1.0F);
    std::vector<double> by_atom(puzzle.atoms);
    std::vector<double> by_clause(puzzle.weight.size());
    reasoner->backward(pass, seeds.build(), {.by_atom = by_atom, .by_clause = by_clause});
    std::string wrong;
    const auto check = [&](double found, const std::function<double&(Puzzle&)>& parameter) {
        const std::optional<double> expected = slope_of(puzzle, asked, parameter);
        checked += expected ? 1 : 0;
        if (expected && std::abs(found - *expected) > 1e-3 * std::max(1.0, std::abs(found)))
            wrong = fmt::format("gradient {} where {} is expected", found, *expected);
    };
    for (std::uint32_t a = 0; a < puzzle.atoms; ++a)
        if (puzzle.initial[a] > 0 && puzzle.initial[a] < 1)
            check(by_atom[a], [a](Puzzle& of) -> double& { return of.initial[a]; });
    for (std::size_t k = 0; k < puzzle.weight.size(); ++k)
        if (puzzle.weight[k] != 1) check(by_clause[k], [k](Puzzle& of) -> double& { return of.weight[k]; });
    return wrong;
}

TEST(MpeOracle, GradientsAreSlopes) {
    int checked = 0;
    for (std::uint64_t seed = 1; seed <= 1'500; ++seed) {
        Rng rng(seed);
        const Puzzle puzzle = random_puzzle(rng);
        if (puzzle.worlds() > most_enumerated) continue;
        if (!WorldEnumeration(puzzle).conditional(puzzle.weight, puzzle.initial)) continue;
        ASSERT_EQ(check_gradients(puzzle, rng.below(puzzle.atoms), checked), "") << "seed " << seed;
    }
    EXPECT_GT(checked, 2'000);
}

}  // namespace
}  // namespace neumann::oracle
