// Laws of the reasoner: what must not change a single bit of an example's results, and how automatic and fixed numbers
// of steps, results and histories belong together.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "oracle/cases.h"
#include "oracle/every_semantics.h"
#include "oracle/random_graph.h"
#include "oracle/random_vocabulary.h"
#include "reason/choose_kernel.h"
#include "reason/reasoner.h"
#include "unit/all_gradients.h"

namespace neumann::oracle {
namespace {

struct Example {
    std::vector<float> initial;  // per atom
    std::vector<float> seeds;    // per atom: the gradient of a loss by its final value
};

// All that can be known of one example afterwards.
struct Outcome {
    std::uint32_t steps = 0;
    std::vector<float> values;
    std::vector<float> inputs;   // gradients
    std::vector<float> weights;  // gradients
    std::vector<float> history;
};

// The first number of which a bit differs; +0 is not -0.
std::string difference(const char* what, const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size()) return fmt::format("{} {} instead of {}", b.size(), what, a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i]))
            return fmt::format("{} {} is {} instead of {}", what, i, b[i], a[i]);
    }
    return {};
}

std::string difference(const Outcome& a, const Outcome& b) {
    if (a.steps != b.steps) return fmt::format("{} steps instead of {}", b.steps, a.steps);
    for (const auto& [what, part] :
         {std::pair{"value", &Outcome::values}, std::pair{"input gradient", &Outcome::inputs},
          std::pair{"weight gradient", &Outcome::weights}}) {
        if (std::string wrong = difference(what, a.*part, b.*part); !wrong.empty()) return wrong;
    }
    return difference("history", a.history, b.history);
}

std::string difference(const std::vector<Outcome>& a, const std::vector<Outcome>& b) {
    for (std::size_t e = 0; e < std::max(a.size(), b.size()); ++e) {
        if (e >= a.size() || e >= b.size()) return "not as many examples";
        if (const std::string wrong = difference(a[e], b[e]); !wrong.empty())
            return fmt::format("example {}: {}", e, wrong);
    }
    return {};
}

std::vector<Outcome> outcomes(const GraphReasoner& reasoner, const std::vector<Example>& examples, Keep keep,
                              Pass& run) {
    std::vector<std::uint32_t> atoms(reasoner.graph().atom_count());
    std::iota(atoms.begin(), atoms.end(), 0U);
    InputBatch::Builder inputs(examples.size());
    InputBatch::Builder seeds(examples.size());
    for (std::size_t e = 0; e < examples.size(); ++e) {
        for (const std::uint32_t a : atoms) {
            inputs.add(e, a, examples[e].initial[a]);
            if (examples[e].seeds[a] != 0) seeds.add(e, a, examples[e].seeds[a]);
        }
    }
    run = reasoner.forward(inputs.build(), reasoner.own_weights(), {.keep = keep}, std::move(run));
    AllGradients gradients;
    if (keep != Keep::Results) gradients = AllGradients(reasoner, run, seeds.build());
    std::vector<Outcome> result(examples.size());
    for (std::size_t e = 0; e < examples.size(); ++e) {
        Outcome& one = result[e];
        one.steps = run.steps(e);
        for (const std::uint32_t a : atoms) one.values.push_back(run.value(a, e));
        if (keep == Keep::Results) continue;
        for (const std::uint32_t a : atoms) one.inputs.push_back(gradients.input(a, e));
        for (std::uint32_t k = 0; k < reasoner.graph().clause_count(); ++k)
            one.weights.push_back(gradients.weight(k, e));
        if (keep != Keep::HistoryAndBackward) continue;
        one.history.resize((one.steps + 1) * atoms.size());
        run.history(e, atoms, one.history);
    }
    return result;
}

std::vector<Outcome> outcomes(const ReasoningGraph& graph, const ReasonOptions& options,
                              const std::vector<Example>& examples, Keep keep = Keep::HistoryAndBackward) {
    Pass run;
    return outcomes(*make_reasoner(graph, options), examples, keep, run);
}

// A random graph and how to reason with it.
struct Trial {
    std::uint64_t seed;
    Rng rng;
    ReasoningGraph graph;
    ReasonOptions options;
    double sparse;  // how many of the inputs are 0 at least

    Trial(std::uint64_t number, Semantics semantics, const Kernel& kernel) : seed(number), rng(number) {
        GraphShape shape = random_shape(rng);
        if (rng.chance(0.4)) {  // large and loose: where only what changes is followed
            shape.atoms = 60 + rng.below(100);
            shape.clauses = 1 + rng.below(3);
            shape.instances = 2 * shape.atoms;
            shape.longest_body = 1 + rng.below(2);
        }
        graph = random_graph(rng, shape);
        constexpr double sparsities[] = {0, 0.5, 0.9, 0.97};
        sparse = sparsities[rng.below(4)];
        constexpr double gammas[] = {0.01, 0.01, 0.015, 0.05, 0.2, 0.002};
        options.semantics = semantics;
        options.gamma = gammas[rng.below(6)];
        options.kernel = kernel.name;
        if (neumann::info(semantics).needs_steps || rng.chance(0.6)) options.steps = rng.below(9);
    }
    Example example() {
        Example one{random_values(rng, graph.atom_count()), std::vector<float>(graph.atom_count())};
        // Around gamma the soft-or changes its ways. Sparse examples leave rows of 0 in a tile, which are passed over.
        const bool small = rng.chance(0.5);
        for (float& value : one.initial) {
            if (small) value = std::min(1.0F, static_cast<float>(rng.uniform() * 2 * options.gamma));
            if (rng.chance(sparse)) value = 0;
        }
        for (float& seed_value : one.seeds)
            seed_value = rng.chance(0.5) ? 0.0F : static_cast<float>(rng.uniform() * 2 - 1);
        return one;
    }
    // Sometimes all alike: then what is 0 in one of them is so in the whole tile.
    std::vector<Example> examples(std::size_t count) {
        std::vector<Example> result;
        if (rng.chance(0.4)) result.assign(count, example());
        while (result.size() < count) result.push_back(example());
        return result;
    }
    Example filled(float value) const {
        return {std::vector<float>(graph.atom_count(), value), std::vector<float>(graph.atom_count(), value)};
    }
    std::string text() const {
        return fmt::format("seed {}: {}, {}, gamma {}, {}, {} atoms, {} conjunctions", seed,
                           neumann::info(options.semantics).name, options.kernel, options.gamma,
                           options.steps ? fmt::format("{} steps", *options.steps) : "automatic", graph.atom_count(),
                           graph.conjunction_count());
    }
};

class ReasonLaws : public testing::TestWithParam<Semantics> {
protected:
    // Runs a law, which says what is wrong, on random graphs for every kernel.
    static void check(std::uint64_t first_seed, std::uint64_t count, const std::function<std::string(Trial&)>& law) {
        for (const Kernel* kernel : available_kernels()) {
            for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
                Trial trial(seed, GetParam(), *kernel);
                const std::string wrong = law(trial);
                EXPECT_EQ(wrong, "") << trial.text();
                if (!wrong.empty()) break;
            }
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Every, ReasonLaws, every_semantics(), semantics_name);

TEST_P(ReasonLaws, ThreadsChangeNothing) {
    check(1'000, 40, [](Trial& trial) -> std::string {
        const std::vector<Example> examples = trial.examples(70);  // five tiles, the last of them not full
        const std::vector<Outcome> alone = outcomes(trial.graph, trial.options, examples);
        trial.options.parallel_from = 0;  // however little there is to do
        for (const unsigned threads : {2U, 3U}) {
            trial.options.threads = threads;
            const std::string wrong = difference(alone, outcomes(trial.graph, trial.options, examples));
            if (!wrong.empty()) return fmt::format("{} threads: {}", threads, wrong);
        }
        return {};
    });
}

TEST_P(ReasonLaws, NeighboursChangeNothing) {
    check(2'000, 150, [](Trial& trial) -> std::string {
        const Example example = trial.example();
        const Outcome alone = outcomes(trial.graph, trial.options, {example}).front();
        for (const int kind : {0, 1, 2}) {  // all zeros, all ones, random
            std::vector<Example> batch;
            while (batch.size() < 64)
                batch.push_back(kind == 2 ? trial.example() : trial.filled(static_cast<float>(kind)));
            const std::size_t place = trial.rng.below(64);
            batch[place] = example;
            const std::string wrong = difference(alone, outcomes(trial.graph, trial.options, batch)[place]);
            if (!wrong.empty()) return fmt::format("neighbours of kind {}: {}", kind, wrong);
        }
        return {};
    });
}

// Numbers that are too small for a normal float, and the negative zero, are values like any other.
TEST_P(ReasonLaws, NeighboursChangeNothingForTheSmallestValues) {
    check(3'000, 100, [](Trial& trial) -> std::string {
        Example example = trial.example();
        for (float& value : example.initial) {
            constexpr float smallest[] = {1e-40F, 3e-38F, -0.0F};
            if (trial.rng.chance(0.3)) value = smallest[trial.rng.below(3)];
        }
        const Outcome alone = outcomes(trial.graph, trial.options, {example}).front();
        const std::vector<Example> batch = {trial.example(), example, trial.filled(1)};
        return difference(alone, outcomes(trial.graph, trial.options, batch)[1]);
    });
}

TEST_P(ReasonLaws, OrderInTheBatchChangesNothing) {
    check(4'000, 40, [](Trial& trial) -> std::string {
        const std::vector<Example> examples = trial.examples(40);
        const std::vector<Outcome> in_order = outcomes(trial.graph, trial.options, examples);
        std::vector<std::size_t> order;
        for (std::size_t e = 0; e < examples.size(); ++e) order.push_back(e);
        shuffle(order, trial.rng);
        std::vector<Example> shuffled;
        std::vector<Outcome> expected;
        for (const std::size_t e : order) {
            shuffled.push_back(examples[e]);
            expected.push_back(in_order[e]);
        }
        return difference(expected, outcomes(trial.graph, trial.options, shuffled));
    });
}

TEST_P(ReasonLaws, MemoryChangesNothing) {
    check(5'000, 60, [](Trial& trial) -> std::string {
        if (trial.options.steps) trial.options.steps = trial.rng.below(40);
        const std::vector<Example> examples =
            trial.examples(trial.rng.chance(0.5) ? tile_width : 1 + trial.rng.below(40));
        const std::vector<Outcome> ample = outcomes(trial.graph, trial.options, examples, Keep::Backward);
        const std::uint64_t tiles = (examples.size() + tile_width - 1) / tile_width;
        const std::uint64_t state = (trial.graph.atom_count() + trial.graph.conjunction_count()) * tiles * 64;
        for (const std::uint64_t budget : {std::uint64_t{1}, 2 * state, 5 * state}) {
            trial.options.memory_budget = budget;
            const std::string wrong = difference(ample, outcomes(trial.graph, trial.options, examples, Keep::Backward));
            if (!wrong.empty()) return fmt::format("{} bytes: {}", budget, wrong);
        }
        return {};
    });
}

TEST_P(ReasonLaws, WhatIsKeptChangesNothing) {
    check(6'000, 60, [](Trial& trial) -> std::string {
        const std::vector<Example> examples = trial.examples(20);
        const std::vector<Outcome> results = outcomes(trial.graph, trial.options, examples, Keep::Results);
        std::vector<Outcome> backward = outcomes(trial.graph, trial.options, examples, Keep::Backward);
        std::vector<Outcome> history = outcomes(trial.graph, trial.options, examples, Keep::HistoryAndBackward);
        for (Outcome& one : history) one.history.clear();
        if (const std::string wrong = difference(backward, history); !wrong.empty()) return "history: " + wrong;
        for (Outcome& one : backward) one = {one.steps, one.values, {}, {}, {}};
        return difference(results, backward);
    });
}

TEST_P(ReasonLaws, AReusedPassIsAsGoodAsNew) {
    check(7'000, 60, [](Trial& trial) -> std::string {
        if (trial.options.steps) trial.options.steps = trial.rng.below(20);
        trial.options.memory_budget = trial.rng.chance(0.5) ? 1 : 1 << 20;
        const auto reasoner = make_reasoner(trial.graph, trial.options);
        Pass run;
        constexpr Keep all[] = {Keep::Results, Keep::Backward, Keep::Backward, Keep::HistoryAndBackward};
        for (int round = 0; round < 4; ++round) {
            const std::vector<Example> examples = trial.examples(1 + trial.rng.below(50));
            const Keep keep = all[trial.rng.below(4)];
            const std::string wrong = difference(outcomes(trial.graph, trial.options, examples, keep),
                                                 outcomes(*reasoner, examples, keep, run));
            if (!wrong.empty()) return fmt::format("use {}: {}", round, wrong);
        }
        // Even by a reasoner for another graph.
        Trial other(trial.seed + 1'000'000, trial.options.semantics, *find_kernel(trial.options.kernel));
        const std::vector<Example> examples = other.examples(20);
        const auto another = make_reasoner(other.graph, other.options);
        return difference(outcomes(other.graph, other.options, examples),
                          outcomes(*another, examples, Keep::HistoryAndBackward, run));
    });
}

// To the last bit.
void expect_kernels_agree(Semantics semantics, const char* one, const char* other) {
    if (find_kernel(one) == nullptr || find_kernel(other) == nullptr) GTEST_SKIP() << "not on this machine";
    for (std::uint64_t seed = 8'000; seed < 8'150; ++seed) {
        Trial trial(seed, semantics, *find_kernel(one));
        const std::vector<Example> examples = trial.examples(20);
        const std::vector<Outcome> expected = outcomes(trial.graph, trial.options, examples);
        trial.options.kernel = other;
        ASSERT_EQ(difference(expected, outcomes(trial.graph, trial.options, examples)), "") << trial.text();
    }
}

TEST_P(ReasonLaws, Avx2AndAvx512Agree) { expect_kernels_agree(GetParam(), "avx512", "avx2"); }

// Neither fuses multiply-adds.
TEST_P(ReasonLaws, OneLaneAndTheBaselineAgree) { expect_kernels_agree(GetParam(), "baseline", "scalar"); }

TEST_P(ReasonLaws, LevelOrderIsAnyNumberOfStepsThatIsEnough) {
    if (neumann::info(GetParam()).needs_steps) GTEST_SKIP() << "its values change with every step";
    check(9'000, 200, [](Trial& trial) -> std::string {
        const GraphLevels levels = find_levels(trial.graph);
        if (levels.cyclic_component_count() > 0) return {};
        const std::uint32_t depth = levels.level_count() - 1;
        const std::vector<Example> examples = trial.examples(tile_width);
        trial.options.steps.reset();
        const std::vector<Outcome> automatic = outcomes(trial.graph, trial.options, examples);
        for (const std::uint32_t steps : {depth, depth + 1, depth + 7}) {
            trial.options.steps = steps;
            const std::vector<Outcome> fixed = outcomes(trial.graph, trial.options, examples);
            for (std::size_t e = 0; e < examples.size(); ++e) {
                if (automatic[e].steps != depth) return fmt::format("{} steps, depth {}", automatic[e].steps, depth);
                if (fixed[e].steps != steps) return fmt::format("{} steps instead of {}", fixed[e].steps, steps);
                if (const std::string wrong = difference("value", automatic[e].values, fixed[e].values); !wrong.empty())
                    return fmt::format("{} steps: {}", steps, wrong);
                // Gradients meet in another order.
                for (std::size_t a = 0; a < fixed[e].inputs.size(); ++a) {
                    const float expected = automatic[e].inputs[a];
                    if (!(std::abs(fixed[e].inputs[a] - expected) <= 1e-4F * (1 + std::abs(expected))))
                        return fmt::format("input gradient {} is {} instead of {}", a, fixed[e].inputs[a], expected);
                }
            }
        }
        return {};
    });
}

TEST_P(ReasonLaws, TheHistoryIsThatOfShorterRuns) {
    check(10'000, 60, [](Trial& trial) -> std::string {
        const std::vector<Example> examples = trial.examples(18);
        const std::vector<Outcome> whole = outcomes(trial.graph, trial.options, examples);
        const std::size_t atoms = trial.graph.atom_count();
        const auto row = [&](std::size_t e, std::size_t step) {
            const auto begin = whole[e].history.begin() + static_cast<std::ptrdiff_t>(step * atoms);
            return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(atoms));
        };
        for (std::size_t e = 0; e < examples.size(); ++e) {
            if (whole[e].history.size() != (whole[e].steps + 1) * atoms) return "not one row more than steps";
            std::string wrong = difference("value at the start", examples[e].initial, row(e, 0));
            if (wrong.empty()) wrong = difference("value at the end", whole[e].values, row(e, whole[e].steps));
            if (!wrong.empty()) return wrong;
        }
        if (!trial.options.steps) return {};
        const std::uint32_t steps = *trial.options.steps;
        for (std::uint32_t t = 0; t < steps; ++t) {
            trial.options.steps = t;
            const std::vector<Outcome> shorter = outcomes(trial.graph, trial.options, examples, Keep::Results);
            for (std::size_t e = 0; e < examples.size(); ++e) {
                const std::string wrong = difference("value", shorter[e].values, row(e, t));
                if (!wrong.empty()) return fmt::format("step {} of example {}: {}", t, e, wrong);
            }
        }
        return {};
    });
}

// The least fixed point is reached after as many steps as there are atoms: a proof that uses an atom to derive itself
// is never better than the one without the detour.
TEST_P(ReasonLaws, AnIdempotentOrReachesItsFixedPoint) {
    if (!neumann::info(GetParam()).idempotent_or) GTEST_SKIP() << "not idempotent";
    check(11'000, 150, [](Trial& trial) -> std::string {
        const std::vector<Example> examples = trial.examples(5);
        trial.options.steps.reset();
        std::vector<Outcome> automatic = outcomes(trial.graph, trial.options, examples, Keep::Results);
        trial.options.steps = trial.graph.atom_count();
        for (Outcome& one : automatic) one.steps = *trial.options.steps;
        return difference(outcomes(trial.graph, trial.options, examples, Keep::Results), automatic);
    });
}

// p :- q. q :- p. from p = .05: the soft-or has no fixed point on a cycle, which is why automatic steps stop.
TEST(ReasonGrowth, TheSoftOrGrowsOnACycle) {
    const ReasoningGraph graph = ground_text(":- pred(p). :- pred(q). 0.05::p. p :- q. q :- p.", {}).ground.graph;
    const auto value_of_p = [&](std::optional<std::uint32_t> steps) {
        ReasonOptions options;
        options.steps = steps;
        const auto reasoner = make_reasoner(graph, options);
        return reasoner->forward(InputBatch(1), reasoner->own_weights()).value(0, 0);
    };
    EXPECT_NEAR(value_of_p(10), 0.068, 5e-4);
    EXPECT_NEAR(value_of_p(1'000), 0.112, 5e-4);
    EXPECT_NEAR(value_of_p(100'000), 0.158, 5e-4);
    EXPECT_EQ(value_of_p(std::nullopt), 0.05F) << "after one step q has found its derivation";
}

}  // namespace
}  // namespace neumann::oracle
