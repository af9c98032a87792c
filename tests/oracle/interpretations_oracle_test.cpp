// Expected counts and likelihoods of observations against all worlds of random graphs, and EM that climbs by them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "learn/probabilities/parameter_learner.h"
#include "oracle/random_worlds.h"
#include "worlds/interpretations.h"

namespace neumann::oracle {
namespace {

constexpr double tolerance = 1e-9;
constexpr std::size_t most_worlds = 200;
constexpr std::size_t examples = 12;

using Observation = std::vector<GraphLiteral>;

bool agrees(const Observation& observed, const std::vector<bool>& holds) {
    return std::ranges::all_of(observed, [&](GraphLiteral one) { return holds[one.atom()] != one.negated(); });
}

// Of worlds that are drawn, what is seen of some atoms.
std::vector<Observation> draw(const Puzzle& puzzle, Rng& rng) {
    std::vector<std::pair<double, std::vector<bool>>> worlds;
    WorldEnumeration(puzzle).for_each(puzzle.weight, puzzle.initial,
                                      [&](double p, const std::vector<bool>& holds) { worlds.emplace_back(p, holds); });
    std::vector<Observation> drawn;
    while (drawn.size() < examples) {
        double left = rng.uniform();
        std::size_t world = 0;
        while (world + 1 < worlds.size() && (left -= worlds[world].first) > 0) ++world;
        if (worlds[world].first <= 0) continue;
        Observation& observed = drawn.emplace_back();
        for (std::uint32_t atom = 0; atom < puzzle.atoms; ++atom)
            if (rng.chance(0.6)) observed.emplace_back(atom, !worlds[world].second[atom]);
    }
    return drawn;
}

// The counts of all choices, by definition: each outcome of each choice together with what was observed.
class AllWorlds {
public:
    AllWorlds(const Puzzle& puzzle, std::vector<Observation> observed)
        : puzzle_(puzzle), observed_(std::move(observed)) {
        for (Puzzle::Choice& choice : puzzle_.choices) {
            for (Puzzle::Choice::Member& member : choice.members) {
                if (!member.is_clause) continue;
                number_of_.push_back(member.number);
                member.number = static_cast<std::uint32_t>(puzzle.weight.size() + number_of_.size() - 1);
            }
        }
    }

    ExpectedCounts count(const std::vector<double>& weight) const {
        std::vector<double> own = weight;  // and one for each instance
        for (const std::uint32_t number : number_of_) own.push_back(weight[number]);
        ExpectedCounts counts{0, std::vector<double>(weight.size(), 0.0), std::vector<double>(weight.size(), 0.0)};
        const std::vector<double> evidence = probabilities(own);
        for (const double one : evidence) counts.log_likelihood += std::log(one);
        for (const Puzzle::Choice& choice : puzzle_.choices) {
            if (!choice.members[0].is_clause) continue;
            double rest = 1;
            for (const auto& member : choice.members) rest -= own[member.number];
            for (std::size_t way = 0; way <= choice.members.size(); ++way) {
                std::vector<double> forced = own;
                for (std::size_t m = 0; m < choice.members.size(); ++m)
                    forced[choice.members[m].number] = m + 1 == way ? 1.0 : 0.0;
                const std::vector<double> given = probabilities(forced);
                const std::uint32_t clause = original(choice.members[way == 0 ? 0 : way - 1].number);
                const double chance = way == 0 ? rest : weight[clause];
                for (std::size_t e = 0; e < evidence.size(); ++e)
                    (way == 0 ? counts.none : counts.clause)[clause] += chance * given[e] / evidence[e];
            }
        }
        return counts;
    }

private:
    std::uint32_t original(std::uint32_t number) const { return number_of_[number - puzzle_.weight.size()]; }
    std::vector<double> probabilities(const std::vector<double>& weight) const {
        std::vector<double> sums(observed_.size(), 0.0);
        WorldEnumeration(puzzle_).for_each(weight, puzzle_.initial, [&](double p, const std::vector<bool>& holds) {
            for (std::size_t e = 0; e < sums.size(); ++e)
                if (agrees(observed_[e], holds)) sums[e] += p;
        });
        return sums;
    }

    Puzzle puzzle_;  // with a number of its own for each instance
    std::vector<Observation> observed_;
    std::vector<std::uint32_t> number_of_;
};

std::vector<ParameterGroup> groups_of(const Puzzle& puzzle) {
    std::vector<ParameterGroup> groups;
    ParameterGroup disjunction;
    for (std::uint32_t k = 0; k < puzzle.weight.size(); ++k) {
        if (puzzle.weight[k] == 1) continue;
        if (puzzle.disjunction[k])
            disjunction.clauses.push_back(k);
        else
            groups.push_back({{k}, 0});
    }
    if (!disjunction.clauses.empty()) groups.push_back(disjunction);
    return groups;
}

// Here choices count that an example depends on. The others came out as likely as ever.
std::string compare(const std::vector<ParameterGroup>& groups, const std::vector<double>& weight,
                    const ExpectedCounts& found, const ExpectedCounts& expected) {
    const auto differ = [](double a, double b) { return !(std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b))); };
    if (differ(found.log_likelihood, expected.log_likelihood))
        return fmt::format("log-likelihood {}, expected {}", found.log_likelihood, expected.log_likelihood);
    for (const ParameterGroup& group : groups) {
        double decided = found.none[group.clauses[0]];
        double all = expected.none[group.clauses[0]];
        for (const std::uint32_t k : group.clauses) decided += found.clause[k];
        for (const std::uint32_t k : group.clauses) all += expected.clause[k];
        for (const std::uint32_t k : group.clauses) {
            const double count = found.clause[k] + weight[k] * (all - decided);
            if (differ(count, expected.clause[k]))
                return fmt::format("clause {}: {}, expected {}", k, count, expected.clause[k]);
        }
    }
    return {};
}

TEST(InterpretationsOracle, CountsAreThoseOfAllWorldsWhileTheLikelihoodGrows) {
    int compared = 0;
    int iterations = 0;
    for (std::uint64_t seed = 1; compared < 3000; ++seed) {
        Rng rng(seed);
        Puzzle puzzle = random_puzzle(rng);
        puzzle.observed.clear();
        const std::vector<ParameterGroup> groups = groups_of(puzzle);
        if (puzzle.worlds() > most_worlds || groups.empty()) continue;
        ++compared;
        const ReasoningGraph graph = graph_of(puzzle);
        WorldsTask task = task_of(puzzle);
        task.asked.clear();
        Interpretations interpretations(graph, task, std::vector<bool>(puzzle.atoms, false), {});
        const std::vector<Observation> observed = draw(puzzle, rng);
        for (const Observation& one : observed) interpretations.add(one);
        interpretations.finish();
        std::vector<double> start = puzzle.weight;
        std::vector<bool> open;
        for (const double weight : puzzle.weight) open.push_back(weight != 1);
        for (const ParameterGroup& group : groups) draw_start(group, open, seed, start);
        const AllWorlds worlds(puzzle, observed);
        double before = -INFINITY;
        std::string wrong;
        search_parameters(
            groups, start, examples, {.iterations = 4},
            [&](std::span<const double> weight) {
                const Interpretations::Counts counts = interpretations.count(weight);
                const ExpectedCounts found{counts.log_likelihood, counts.clause, counts.none};
                const std::vector<double> now(weight.begin(), weight.end());
                if (wrong.empty()) wrong = compare(groups, now, found, worlds.count(now));
                if (found.log_likelihood < before - tolerance)
                    wrong = fmt::format("from {} to {}", before, found.log_likelihood);
                before = found.log_likelihood;
                ++iterations;
                return found;
            },
            [&](std::uint32_t, double) { return wrong.empty(); });
        ASSERT_EQ(wrong, "") << "seed " << seed;
    }
    EXPECT_GT(iterations, 6000);
}

// Four coins of one mint, with what was bought for the heads of the last two.
TEST(InterpretationsOracle, WhatIsAlikeIsCompiledOnce) {
    Puzzle puzzle;
    puzzle.atoms = 6;
    puzzle.stratum.assign(6, 0);
    puzzle.initial.assign(6, 0.0);
    puzzle.weight = {0.5, 0.25};
    puzzle.disjunction.assign(2, std::nullopt);
    for (std::uint32_t coin = 0; coin < 4; ++coin) puzzle.instances.push_back({0, coin, {}});
    for (std::uint32_t bought = 4; bought < 6; ++bought)
        puzzle.instances.push_back({1, bought, {GraphLiteral(bought - 2)}});
    WorldsTask task = task_of(puzzle);
    task.asked.clear();
    const ReasoningGraph graph = graph_of(puzzle);
    Interpretations interpretations(graph, task, std::vector<bool>(6, false), {});
    const auto add = [&](std::vector<int> literals) {  // 1 + atom, negative if it does not hold
        Observation observed;
        for (const int one : literals) observed.emplace_back(static_cast<std::uint32_t>(std::abs(one) - 1), one < 0);
        interpretations.add(observed);
    };
    add({1, -2, 3, -4, 5, -6});
    add({-1, 2, 6});
    interpretations.finish();
    EXPECT_EQ(interpretations.different(), 3U);  // a coin; a coin and what was bought; what was bought alone
    const Interpretations::Counts counts = interpretations.count(puzzle.weight);
    EXPECT_NEAR(counts.log_likelihood, 7 * std::log(0.5) + 2 * std::log(0.25), 1e-12);
    EXPECT_NEAR(counts.clause[0], 4, 1e-12);
    EXPECT_NEAR(counts.none[0], 3, 1e-12);
    EXPECT_NEAR(counts.clause[1], 2, 1e-12);
    EXPECT_NEAR(counts.none[1], 0, 1e-12);
}

}  // namespace
}  // namespace neumann::oracle
