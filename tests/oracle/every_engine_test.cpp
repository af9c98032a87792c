// What every engine owes its users, under every semantics, on random graphs. An engine or a semantics that is added to
// its registry is held to all of this without another line here.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "oracle/differences.h"
#include "oracle/gpu_of_tests.h"
#include "oracle/random_graph.h"
#include "reason/reasoner.h"
#include "reason/reference/reference.h"

namespace neumann::oracle {
namespace {

using Numbers = std::vector<double>;

struct Example {
    std::vector<float> initial;  // per atom
    std::vector<float> seeds;    // per atom: the gradient of a loss by its final value
};

// A random graph, how to reason with it, examples and weights.
struct Trial {
    std::uint64_t seed;
    Rng rng;
    const EngineInfo& engine;
    ReasoningGraph graph;
    ReasonOptions options;
    Numbers weights;
    std::vector<Example> examples;

    Trial(std::uint64_t number, const EngineInfo& of_engine, const SemanticsInfo& semantics, std::size_t count,
          std::optional<GraphShape> shape = {})
        : seed(number), rng(number), engine(of_engine) {
        if (!shape) {
            shape = random_shape(rng);
            if (number % 3 == 0) shape->negated = 0.4;
        }
        graph = random_graph(rng, *shape);
        constexpr double gammas[] = {0.01, 0.015, 0.05, 0.2};
        options.semantics = semantics.semantics;
        options.gamma = gammas[rng.below(4)];
        const bool automatic = engine.automatic_steps && !semantics.needs_steps;
        if (!automatic || rng.chance(0.6)) options.steps = rng.below(6);
        weights = random_weights();
        while (examples.size() < count) {
            Example& one = examples.emplace_back(random_values(rng, graph.atom_count()), std::vector<float>());
            for (std::uint32_t a = 0; a < graph.atom_count(); ++a)
                one.seeds.push_back(rng.chance(0.5) ? 0.0F : static_cast<float>(rng.uniform() * 2 - 1));
        }
    }

    Numbers random_weights() {
        Numbers result;
        for (const float weight : random_values(rng, graph.clause_count())) result.push_back(weight);
        return result;
    }
    std::unique_ptr<GraphReasoner> reasoner() const { return make_reasoner(engine.name, graph, options); }
    Keep keep() const { return engine.gradients ? Keep::HistoryAndBackward : Keep::History; }

    InputBatch inputs() const { return batch_of(examples, &Example::initial); }
    InputBatch seeds() const { return batch_of(examples, &Example::seeds); }
    static InputBatch batch_of(const std::vector<Example>& examples, std::vector<float> Example::*part) {
        InputBatch::Builder batch(examples.size());
        for (std::size_t e = 0; e < examples.size(); ++e) {
            for (std::uint32_t a = 0; a < (examples[e].*part).size(); ++a) batch.add(e, a, (examples[e].*part)[a]);
        }
        return batch.build();
    }
    std::string text() const {
        return fmt::format("seed {}: {} engine, {}, gamma {}, {}, {} atoms, {} conjunctions", seed, engine.name,
                           neumann::info(options.semantics).name, options.gamma,
                           options.steps ? fmt::format("{} steps", *options.steps) : "automatic", graph.atom_count(),
                           graph.conjunction_count());
    }
};

std::vector<std::uint32_t> all_atoms(const ReasoningGraph& graph) {
    std::vector<std::uint32_t> atoms(graph.atom_count());
    std::iota(atoms.begin(), atoms.end(), 0U);
    return atoms;
}

// All that a pass tells: equal only if every bit is.
struct Outcome {
    std::vector<std::uint32_t> steps;
    Numbers outputs;  // of all atoms, example by example
    std::vector<std::vector<Numbers>> history;
    Numbers by_atom;
    Numbers by_clause;
    bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(const GraphReasoner& reasoner, const Pass& pass, const InputBatch& seeds) {
    const std::vector<std::uint32_t> atoms = all_atoms(reasoner.graph());
    Outcome result;
    result.outputs.resize(pass.examples() * atoms.size());
    pass.outputs(atoms, result.outputs);
    for (std::size_t e = 0; e < pass.examples(); ++e) {
        result.steps.push_back(pass.steps(e));
        result.history.push_back(pass.history<double>(e, atoms));
    }
    if (!reasoner.engine().gradients) return result;
    result.by_atom.resize(pass.examples() * atoms.size());
    result.by_clause.resize(pass.examples() * reasoner.graph().clause_count());
    reasoner.backward(pass, seeds, {.by_atom = result.by_atom, .by_clause = result.by_clause});
    return result;
}

Outcome outcome_of(const Trial& trial) {
    const auto reasoner = trial.reasoner();
    return outcome_of(*reasoner, reasoner->forward(trial.inputs(), trial.weights, {.keep = trial.keep()}),
                      trial.seeds());
}

class EveryEngine : public testing::TestWithParam<std::tuple<const EngineInfo*, SemanticsInfo>> {
protected:
    static const EngineInfo& engine() { return *std::get<0>(GetParam()); }
    static const SemanticsInfo& semantics() { return std::get<1>(GetParam()); }
    static Trial trial(std::uint64_t seed, std::size_t examples) { return {seed, engine(), semantics(), examples}; }
    static bool needs_device() { return engine().device_use == DeviceUse::Always; }
    static double tolerance() { return engine().double_precision ? 1e-12 : needs_device() ? 1e-6 : 2e-6; }
};

// Without those that choose between two of the others: their choice depends on threads and on earlier batches.
std::vector<const EngineInfo*> engines_that_compute() {
    use_gpu_of_tests();
    std::vector<const EngineInfo*> engines(all_engines().begin(), all_engines().end());
    std::erase_if(engines, [](const EngineInfo* one) { return one->device_use == DeviceUse::WhereItPays; });
    return engines;
}

INSTANTIATE_TEST_SUITE_P(Every, EveryEngine,
                         testing::Combine(testing::ValuesIn(engines_that_compute()),
                                          testing::ValuesIn(all_semantics().begin(), all_semantics().end())),
                         [](const auto& param) {
                             std::string name =
                                 fmt::format("{}_{}", std::get<0>(param.param)->name, std::get<1>(param.param).name);
                             std::erase(name, '-');
                             return name;
                         });

// The values at every step, of a run that goes through phases one after the other: those of one turn together.
std::vector<Numbers> side_by_side(const ReferenceRun& run, const std::vector<std::uint32_t>& rounds,
                                  const Schedule& schedule) {
    std::vector<std::size_t> before(schedule.phases.size());
    for (std::size_t t = run.phase_of_step.size(); t-- > 0;) before[run.phase_of_step[t]] = t;
    Numbers now = run.values.front();
    std::vector<Numbers> history = {now};
    const auto update = [&](std::uint32_t phase, std::uint32_t round) {
        for (const std::uint32_t atom : schedule.atoms_of(schedule.phases[phase]))
            now[atom] = run.values[before[phase] + round][atom];
    };
    schedule.for_each_step(rounds, update, [&] { history.push_back(now); });
    return history;
}

TEST_P(EveryEngine, ValuesAndHistoryAreThoseOfTheReference) {
    for (std::uint64_t seed = 30'000; seed < 30'060; ++seed) {
        const Trial s = trial(seed, 1 + seed % 20);
        const auto reasoner = s.reasoner();
        const ReferenceReasoner reference(s.graph, s.options.semantics, s.options.gamma, reasoner->schedule());
        const Pass pass = reasoner->forward(s.inputs(), s.weights, {.keep = Keep::History});
        const std::vector<std::uint32_t> atoms = all_atoms(s.graph);
        Numbers all(s.examples.size() * atoms.size());
        pass.outputs(atoms, all);
        ASSERT_TRUE(std::ranges::equal(pass.weights(), s.weights));
        for (std::size_t e = 0; e < s.examples.size(); ++e) {
            const ReferenceRun expected =
                reference.forward(s.weights, Numbers(s.examples[e].initial.begin(), s.examples[e].initial.end()));
            std::vector<std::uint32_t> rounds(reasoner->schedule().phases.size());
            for (const std::uint32_t phase : expected.phase_of_step) ++rounds[phase];
            ASSERT_EQ(pass.rounds(e), rounds) << s.text();
            const std::vector<Numbers> expected_history = side_by_side(expected, rounds, reasoner->schedule());
            const std::vector<Numbers> history = pass.history<double>(e, atoms);
            ASSERT_EQ(history.size(), expected_history.size()) << s.text();
            ASSERT_EQ(history.size(), pass.steps(e) + 1) << s.text();
            Numbers values(atoms.size());
            Numbers initials(atoms.size());
            pass.values(e, values);
            pass.initials(e, initials);
            for (std::size_t a = 0; a < atoms.size(); ++a) {
                ASSERT_NEAR(values[a], expected.result()[a], tolerance()) << "atom " << a << ", " << s.text();
                ASSERT_EQ(values[a], all[e * atoms.size() + a]) << s.text();
                ASSERT_EQ(static_cast<float>(values[a]), pass.value(atoms[a], e)) << s.text();
                ASSERT_EQ(initials[a], expected.values.front()[a]) << s.text();
                for (std::size_t t = 0; t < history.size(); ++t)
                    ASSERT_NEAR(history[t][a], expected_history[t][a], tolerance())
                        << "step " << t << ", atom " << a << ", " << s.text();
            }
        }
    }
}

// The derivative along each weight and each input: where the reference has one it is this.
TEST_P(EveryEngine, GradientsAreFiniteDifferences) {
    if (!engine().gradients) GTEST_SKIP() << "has none";
    std::size_t checked = 0;
    std::size_t kinks = 0;
    for (std::uint64_t seed = 31'000; seed < 31'060; ++seed) {
        Trial s = trial(seed, 1);
        // The kinks of an atom and of its negation hide each other where both stand on one.
        if (!s.graph.monotone && !semantics().smooth) continue;
        if (info(s.options.semantics).both(0.5, 0.5) == 0.5) {  // ties of minima that hang at 1 have no derivative
            for (double& weight : s.weights) weight = 0.5 + s.rng.uniform() / 2;
        }
        const auto reasoner = s.reasoner();
        const ReferenceReasoner reference(s.graph, s.options.semantics, s.options.gamma, reasoner->schedule());
        const Pass pass = reasoner->forward(s.inputs(), s.weights, {.keep = Keep::Backward});
        Numbers by_atom(s.graph.atom_count());
        Numbers by_clause(s.graph.clause_count());
        reasoner->backward(pass, s.seeds(), {.by_atom = by_atom, .by_clause = by_clause});
        const Example& one = s.examples[0];
        Differences differences(reference, s.options.gamma, s.weights, {one.initial.begin(), one.initial.end()},
                                {one.seeds.begin(), one.seeds.end()});
        ASSERT_EQ(differences.wrong({by_clause, by_atom}, 2e-2), "") << s.text();
        checked += differences.checked();
        kinks += differences.kinks();
    }
    EXPECT_GT(checked, kinks);
}

TEST_P(EveryEngine, AnExampleDependsOnItselfAlone) {
    for (std::uint64_t seed = 32'000; seed < 32'020; ++seed) {
        Trial s = trial(seed, 37);
        const Outcome together = outcome_of(s);
        const std::vector<Example> examples = s.examples;
        const std::size_t atoms = s.graph.atom_count();
        const std::size_t clauses = s.graph.clause_count();
        for (const std::size_t e : {std::size_t{0}, std::size_t{15}, std::size_t{16}, std::size_t{36}}) {
            s.examples = {examples[e]};
            const Outcome alone = outcome_of(s);
            const auto part = [&](const Numbers& all, std::size_t width) {
                if (all.empty()) return Numbers();
                const auto first = all.begin() + static_cast<std::ptrdiff_t>(e * width);
                return Numbers(first, first + static_cast<std::ptrdiff_t>(width));
            };
            ASSERT_EQ(alone.steps[0], together.steps[e]) << s.text();
            ASSERT_EQ(alone.outputs, part(together.outputs, atoms)) << s.text();
            ASSERT_EQ(alone.history[0], together.history[e]) << s.text();
            ASSERT_EQ(alone.by_atom, part(together.by_atom, atoms)) << s.text();
            ASSERT_EQ(alone.by_clause, part(together.by_clause, clauses)) << s.text();
        }
    }
}

// With as many edges and steps as it takes for threads to be worth while.
TEST_P(EveryEngine, ThreadsChangeNothing) {
    const bool is_slow = engine().double_precision || needs_device();
    for (std::uint64_t seed = 33'000; seed < 33'004; ++seed) {
        Trial s(seed, engine(), semantics(), is_slow ? 5 : 70,
                GraphShape{.atoms = 60, .clauses = 5, .instances = 300, .longest_body = 3, .acyclic = true});
        s.options.steps = is_slow ? 3 : 250;
        s.options.memory_budget = 1;
        Numbers values[3];
        std::vector<double> sums[3];
        for (unsigned threads = 1; threads <= 3; ++threads) {
            s.options.threads = threads;
            const auto reasoner = s.reasoner();
            const Pass pass = reasoner->forward(s.inputs(), s.weights, {.keep = Keep::Backward});
            values[threads - 1].resize(s.examples.size() * s.graph.atom_count());
            pass.outputs(all_atoms(s.graph), values[threads - 1]);
            if (!engine().gradients) continue;
            sums[threads - 1].resize(s.graph.clause_count());
            const GradientSums wanted{.by_clause = sums[threads - 1]};
            reasoner->backward(pass, s.seeds(), {.sums = {&wanted, 1}});
        }
        for (const unsigned threads : {2U, 3U}) {
            EXPECT_EQ(values[0], values[threads - 1]) << threads << " threads, " << s.text();
            EXPECT_EQ(sums[0], sums[threads - 1]) << threads << " threads, " << s.text();
        }
    }
}

// Two passes with different weights, backwards in either order, and both are what they would have been alone.
TEST_P(EveryEngine, PassesMayBeInterleaved) {
    for (std::uint64_t seed = 34'000; seed < 34'020; ++seed) {
        Trial first = trial(seed, 20);
        first.options.memory_budget = seed % 2 == 0 ? 1 : 1 << 20;
        Trial second = first;
        second.weights = first.random_weights();
        std::ranges::reverse(second.examples);
        const auto reasoner = first.reasoner();
        const Pass one = reasoner->forward(first.inputs(), first.weights, {.keep = first.keep()});
        const Pass two = reasoner->forward(second.inputs(), second.weights, {.keep = second.keep()});
        EXPECT_EQ(outcome_of(*reasoner, one, first.seeds()), outcome_of(first)) << first.text();
        EXPECT_EQ(outcome_of(*reasoner, two, second.seeds()), outcome_of(second)) << first.text();
        EXPECT_EQ(outcome_of(*reasoner, one, first.seeds()), outcome_of(first)) << "again, " << first.text();
    }
}

TEST_P(EveryEngine, MayBeUsedByTwoThreadsAtOnce) {
    const Trial s = trial(35'000, 20);
    const Outcome expected = outcome_of(s);
    const auto reasoner = s.reasoner();
    bool same[2] = {true, true};
    const auto use = [&](bool& right) {
        for (int i = 0; i < 10; ++i) {
            const Pass pass = reasoner->forward(s.inputs(), s.weights, {.keep = s.keep()});
            right = right && outcome_of(*reasoner, pass, s.seeds()) == expected;
        }
    };
    {
        const std::jthread other([&] { use(same[1]); });
        use(same[0]);
    }
    EXPECT_TRUE(same[0] && same[1]);
}

// Sums are those of the single gradients, one after the other, onto what was there.
TEST_P(EveryEngine, SumsAreThoseOfTheExamplesInTheirOrder) {
    if (!engine().gradients) GTEST_SKIP() << "has none";
    for (std::uint64_t seed = 36'000; seed < 36'020; ++seed) {
        Trial s = trial(seed, 40);
        const auto reasoner = s.reasoner();
        const Pass pass = reasoner->forward(s.inputs(), s.weights, {.keep = Keep::Backward});
        const std::size_t atoms = s.graph.atom_count();
        const std::size_t clauses = s.graph.clause_count();
        Numbers factors;
        for (std::size_t e = 0; e < 40; ++e) factors.push_back(s.rng.uniform());
        const std::vector<std::uint32_t> asked = {0, s.rng.below(s.graph.atom_count()), 0};
        const std::uint32_t first = s.rng.below(s.graph.clause_count());
        Numbers plain(clauses, 0.25);
        Numbers weighted(clauses - first, 0.0);
        Numbers of_atoms(asked.size(), 0.0);
        const GradientSums sums[] = {
            {.by_clause = plain},
            {.factors = factors, .first_clause = first, .by_clause = weighted, .atoms = asked, .by_atom = of_atoms}};
        Numbers by_input(40 * asked.size());
        Numbers by_atom(40 * atoms);
        Numbers by_clause(40 * clauses);
        reasoner->backward(
            pass, s.seeds(),
            {.inputs = asked, .by_input = by_input, .by_atom = by_atom, .by_clause = by_clause, .sums = sums});
        Numbers expected_plain(clauses, 0.25);
        Numbers expected_weighted(clauses - first, 0.0);
        Numbers expected_atoms(asked.size(), 0.0);
        for (std::size_t e = 0; e < 40; ++e) {
            for (std::size_t k = 0; k < clauses; ++k) expected_plain[k] += by_clause[e * clauses + k];
            for (std::size_t k = first; k < clauses; ++k)
                expected_weighted[k - first] += factors[e] * by_clause[e * clauses + k];
            for (std::size_t i = 0; i < asked.size(); ++i) {
                ASSERT_EQ(by_input[e * asked.size() + i], by_atom[e * atoms + asked[i]]) << s.text();
                expected_atoms[i] += factors[e] * by_atom[e * atoms + asked[i]];
            }
        }
        EXPECT_EQ(plain, expected_plain) << s.text();
        EXPECT_EQ(weighted, expected_weighted) << s.text();
        EXPECT_EQ(of_atoms, expected_atoms) << s.text();
    }
}

// The same numbers as rows of their own length, in any order, and as a dense array; twice over; as initial values; in
// the memory of another pass.
TEST_P(EveryEngine, HowNumbersAreGivenChangesNothing) {
    for (std::uint64_t seed = 37'000; seed < 37'020; ++seed) {
        Trial s = trial(seed, 5);
        const Outcome expected = outcome_of(s);
        const std::vector<std::uint32_t> atoms = all_atoms(s.graph);
        InputBatch::Builder inputs(5);
        InputBatch::Builder seeds(5);
        std::vector<float> dense_inputs;
        std::vector<float> dense_seeds;
        for (std::size_t e = 5; e-- > 0;) {
            for (const std::uint32_t a : atoms) inputs.add(e, a, 0.5F);
            for (const std::uint32_t a : atoms) inputs.add(e, a, s.examples[e].initial[a]);
            for (const std::uint32_t a : atoms) seeds.add(e, a, s.examples[e].seeds[a] / 2);
            for (const std::uint32_t a : atoms) seeds.add(e, a, s.examples[e].seeds[a] / 2);
        }
        for (const Example& one : s.examples) {
            dense_inputs.insert(dense_inputs.end(), one.initial.begin(), one.initial.end());
            dense_seeds.insert(dense_seeds.end(), one.seeds.begin(), one.seeds.end());
        }
        const auto reasoner = s.reasoner();
        Pass pass = reasoner->forward(inputs.build(), s.weights, {.keep = s.keep()});
        EXPECT_EQ(outcome_of(*reasoner, pass, seeds.build()), expected) << s.text();
        for (const EngineInfo* other : all_engines()) {
            Trial of_other(seed + 500, *other, semantics(), 3);
            pass = of_other.reasoner()->forward(of_other.inputs(), of_other.weights, {}, std::move(pass));
            pass = reasoner->forward(InputBatch::dense(5, atoms, dense_inputs), s.weights, {.keep = s.keep()},
                                     std::move(pass));
            EXPECT_EQ(outcome_of(*reasoner, pass, InputBatch::dense(5, atoms, dense_seeds)), expected) << s.text();
        }
        s.examples.assign(5, s.examples[0]);
        pass = reasoner->forward(InputBatch(5), s.weights, {s.keep(), s.examples[0].initial}, std::move(pass));
        EXPECT_EQ(outcome_of(*reasoner, pass, s.seeds()), outcome_of(s)) << s.text();
    }
}

TEST_P(EveryEngine, ABatchMayBeEmpty) {
    const Trial s = trial(38'000, 0);
    const auto reasoner = s.reasoner();
    const Pass pass = reasoner->forward(InputBatch(), s.weights, {.keep = s.keep()});
    EXPECT_EQ(pass.examples(), 0U);
    Numbers none;
    pass.outputs(all_atoms(s.graph), none);
    if (!engine().gradients) return;
    Numbers sums(s.graph.clause_count());
    const GradientSums wanted{.by_clause = sums};
    reasoner->backward(pass, InputBatch(), {.sums = {&wanted, 1}});
    EXPECT_EQ(sums, Numbers(s.graph.clause_count()));
}

template <class Call>
std::string error_of(const Call& call) {
    try {
        call();
    } catch (const ReasonError& error) {
        return error.what();
    }
    return "nothing was refused";
}

#define EXPECT_REFUSED(call, part)                                                                                     \
    EXPECT_NE(error_of([&] { call; }).find(part), std::string::npos) << error_of([&] { call; })

TEST_P(EveryEngine, WhatCannotBeIsRefused) {
    const Trial s = trial(39'000, 2);
    const auto reasoner = s.reasoner();
    const std::uint32_t atoms = s.graph.atom_count();
    const std::string no_atom = fmt::format("there is no atom {}", atoms);
    InputBatch::Builder beyond(1);
    beyond.add(0, atoms, 0.5F);
    EXPECT_REFUSED(reasoner->forward(beyond.build(), s.weights), no_atom);
    for (const float value : {-0.5F, 1.5F, std::nanf("")}) {
        const InputBatch wrong = InputBatch::dense(1, std::vector<std::uint32_t>{0}, std::vector<float>{value});
        EXPECT_REFUSED(reasoner->forward(wrong, s.weights), "of atom 0 in example 0 is not in [0,1]");
    }
    EXPECT_REFUSED(reasoner->forward(InputBatch(1), Numbers(s.weights.size() + 1, 0.5)), "weights given");
    EXPECT_REFUSED(reasoner->forward(InputBatch(1), Numbers(s.weights.size(), 2.0)), "weight 2 of clause 0");
    const std::vector<float> few(atoms + 1, 0.5F);
    EXPECT_REFUSED(reasoner->forward(InputBatch(1), s.weights, {.initial = few}), "initial values given");
    const std::vector<float> large(atoms, 2.0F);
    EXPECT_REFUSED(reasoner->forward(InputBatch(1), s.weights, {.initial = large}), "initial value 2 of atom 0");

    const Pass results = reasoner->forward(s.inputs(), s.weights);
    Numbers one(1);
    Numbers all(atoms);
    const std::vector<std::uint32_t> last = {atoms};
    EXPECT_REFUSED(results.outputs(last, one), "room for 1 numbers");
    EXPECT_REFUSED(results.gather(std::vector<std::uint32_t>{0}, last, one), no_atom);
    EXPECT_REFUSED(results.gather(std::vector<std::uint32_t>{2}, std::vector<std::uint32_t>{0}, one), "no example 2");
    EXPECT_REFUSED(results.values(2, all), "no example 2");
    EXPECT_REFUSED(results.steps(2), "no example 2");
    EXPECT_REFUSED(results.history<float>(0, std::vector<std::uint32_t>{0}), "did not keep its history");
    const Pass kept = reasoner->forward(s.inputs(), s.weights, {.keep = s.keep()});
    EXPECT_REFUSED(kept.history<float>(0, last), no_atom);
    EXPECT_REFUSED(kept.history<float>(2, last), "no example 2");

    if (!engine().gradients) {
        EXPECT_REFUSED(reasoner->backward(kept, InputBatch(2), {}), "has no gradients");
        return;
    }
    EXPECT_REFUSED(reasoner->backward(results, InputBatch(2), {}), "did not keep");
    EXPECT_REFUSED(reasoner->backward(Pass(), InputBatch(), {}), "did not keep");
    EXPECT_REFUSED(reasoner->backward(kept, InputBatch(3), {}), "gradients for 3 examples given to a pass of 2");
    EXPECT_REFUSED(s.reasoner()->backward(kept, InputBatch(2), {}), "another reasoner's");
    beyond.reset(2);
    beyond.add(1, atoms, 0.5F);
    EXPECT_REFUSED(reasoner->backward(kept, beyond.build(), {}), no_atom);
    EXPECT_REFUSED(reasoner->backward(kept, InputBatch(2), {.by_atom = one}), "room for 1 gradients by atoms");
    EXPECT_REFUSED(reasoner->backward(kept, InputBatch(2), {.inputs = last, .by_input = all}), no_atom);
}

TEST(Engines, AreFoundByEitherName) {
    for (const EngineInfo* engine : all_engines()) {
        EXPECT_EQ(find_engine(engine->name), engine);
        EXPECT_EQ(find_engine(engine->command_name), engine);
    }
    EXPECT_EQ(find_engine("steam"), nullptr);
    EXPECT_REFUSED(make_reasoner("steam", ReasoningGraph(), {}),
                   "there is no engine 'steam'; there are tile, reference");
}

}  // namespace
}  // namespace neumann::oracle
