// The fast kernels against the reference in double precision, and the reference's gradients against finite differences,
// on random graphs.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "oracle/differences.h"
#include "oracle/every_semantics.h"
#include "oracle/random_graph.h"
#include "reason/choose_kernel.h"
#include "reason/reasoner.h"
#include "reason/reference/reference.h"
#include "unit/all_gradients.h"

namespace neumann::oracle {
namespace {

struct Trial {
    std::uint64_t seed;
    Rng rng;
    ReasoningGraph graph;
    double gamma;
    std::optional<std::uint32_t> steps;
    std::vector<double> weights;

    Trial(std::uint64_t number, const SemanticsInfo& semantics) : seed(number), rng(number) {
        const bool automatic_allowed = !semantics.needs_steps;
        GraphShape shape = random_shape(rng);
        if (number % 3 == 0) shape.negated = 0.4;
        graph = random_graph(rng, shape);
        constexpr double gammas[] = {0.01, 0.01, 0.015, 0.05, 0.2, 0.002};
        gamma = gammas[rng.below(6)];
        if (!automatic_allowed || rng.chance(0.6)) steps = rng.below(7);
        weights.assign(graph.weight.begin(), graph.weight.end());
    }
    Schedule schedule() const {
        return steps ? fixed_schedule(graph, *steps) : automatic_schedule(graph, find_levels(graph));
    }
    std::string text() const {
        return fmt::format("seed {}: {} atoms, {} conjunctions, gamma {}, {}", seed, graph.atom_count(),
                           graph.conjunction_count(), gamma, steps ? fmt::format("{} steps", *steps) : "automatic");
    }
};

std::vector<double> doubles(const std::vector<float>& values) { return {values.begin(), values.end()}; }

class EverySemantics : public testing::TestWithParam<Semantics> {};

INSTANTIATE_TEST_SUITE_P(Reason, EverySemantics, every_semantics(), semantics_name);

// The derivative along each weight and each input.
TEST_P(EverySemantics, ReferenceGradientsAreFiniteDifferences) {
    std::size_t checked = 0;
    std::size_t kinks = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        Trial s(seed, info(GetParam()));
        const ReferenceReasoner reasoner(s.graph, GetParam(), s.gamma, s.schedule());
        std::vector<double> initial = doubles(random_values(s.rng, s.graph.atom_count()));
        if (info(GetParam()).both(0.5, 0.5) == 0.5) {
            // Two equal conjunctions that both hang at 1: a smooth maximum of kinks, for which no choice is right.
            for (double& weight : s.weights) weight = 0.5 + s.rng.uniform() / 2;
            for (double& value : initial) value = value == 1 && s.rng.chance(0.7) ? s.rng.uniform() : value;
        }
        if (!s.graph.monotone && !info(GetParam()).smooth) {
            // The kinks of an atom and of its negation hide each other where both stand on one.
            for (double& weight : s.weights) weight = weight == 1 ? s.rng.uniform() : weight;
            for (double& value : initial) value = value == 0 || value == 1 ? s.rng.uniform() : value;
        }
        std::vector<double> output(s.graph.atom_count());
        for (double& g : output) g = s.rng.chance(0.5) ? s.rng.uniform() : 0;
        Differences differences(reasoner, s.gamma, s.weights, initial, output);
        ASSERT_EQ(differences.wrong(differences.gradients(), 1e-3), "") << s.text();
        checked += differences.checked();
        kinks += differences.kinks();
    }
    fmt::print("{} derivatives checked, {} kinks left out\n", checked, kinks);
    const auto all = static_cast<double>(checked + kinks);
    EXPECT_GT(static_cast<double>(checked), (info(GetParam()).smooth ? 0.999 : 0.95) * all);
}

TEST_P(EverySemantics, KernelsAgreeWithTheReference) {
    double worst_value = 0;
    double worst_gradient = 0;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        Trial s(seed, info(GetParam()));
        const ReferenceReasoner reference(s.graph, GetParam(), s.gamma, s.schedule());
        const std::size_t examples = 1 + s.rng.below(40);
        InputBatch::Builder inputs(examples);
        InputBatch::Builder output(examples);
        std::vector<std::vector<double>> initial(examples);
        std::vector<std::vector<double>> seeds(examples);
        for (std::size_t e = 0; e < examples; ++e) {
            initial[e] = doubles(random_values(s.rng, s.graph.atom_count()));
            for (std::uint32_t a = 0; a < s.graph.atom_count(); ++a)
                inputs.add(e, a, static_cast<float>(initial[e][a]));
            seeds[e].resize(s.graph.atom_count());
            for (std::uint32_t a = 0; a < s.graph.atom_count(); ++a) {
                if (s.rng.chance(0.5)) continue;
                const auto g = static_cast<float>(s.rng.uniform());
                seeds[e][a] = static_cast<double>(g);
                output.add(e, a, g);
            }
        }
        for (const Kernel* kernel : available_kernels()) {
            ReasonOptions options;
            options.semantics = GetParam();
            options.gamma = s.gamma;
            options.steps = s.steps;
            options.kernel = kernel->name;
            options.memory_budget = s.rng.chance(0.5) ? 1 : 1 << 30;
            options.threads = 1 + s.rng.below(2);
            const auto reasoner = make_reasoner(s.graph, options);
            const Pass run = reasoner->forward(inputs.build(), s.weights, {.keep = Keep::Backward});
            const AllGradients gradients(*reasoner, run, output.build());
            for (std::size_t e = 0; e < examples; ++e) {
                const ReferenceRun expected = reference.forward(s.weights, initial[e]);
                std::vector<std::uint32_t> rounds(reasoner->schedule().phases.size());
                for (const std::uint32_t phase : expected.phase_of_step) ++rounds[phase];
                ASSERT_EQ(run.rounds(e), rounds) << s.text() << ", " << kernel->name;
                ASSERT_EQ(run.steps(e), reasoner->schedule().count_steps(rounds)) << s.text() << ", " << kernel->name;
                for (std::uint32_t a = 0; a < s.graph.atom_count(); ++a) {
                    const double error = std::abs(run.value(a, e) - expected.result()[a]);
                    worst_value = std::max(worst_value, error);
                    ASSERT_LT(error, most_in_values)
                        << "atom " << a << " is " << run.value(a, e) << " instead of " << expected.result()[a] << ", "
                        << s.text() << ", " << kernel->name;
                }
                const ReferenceGradients g = reference.backward(expected, s.weights, initial[e], seeds[e]);
                for (std::uint32_t a = 0; a < s.graph.atom_count(); ++a) {
                    const double error = std::abs(gradients.input(a, e) - g.initial[a]) / (1 + std::abs(g.initial[a]));
                    worst_gradient = std::max(worst_gradient, error);
                    ASSERT_LT(error, most_in_gradients)
                        << "input " << a << ": " << gradients.input(a, e) << " instead of " << g.initial[a] << ", "
                        << s.text() << ", " << kernel->name;
                }
                for (std::uint32_t k = 0; k < s.graph.clause_count(); ++k) {
                    const double error = std::abs(gradients.weight(k, e) - g.weights[k]) / (1 + std::abs(g.weights[k]));
                    worst_gradient = std::max(worst_gradient, error);
                    ASSERT_LT(error, most_in_gradients)
                        << "weight " << k << ": " << gradients.weight(k, e) << " instead of " << g.weights[k] << ", "
                        << s.text() << ", " << kernel->name;
                }
            }
        }
    }
    fmt::print("largest error of a value {:.2g}, of a gradient {:.2g}\n", worst_value, worst_gradient);
}

}  // namespace
}  // namespace neumann::oracle
