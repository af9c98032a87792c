// The tensor reasoner against the reference and the graph reasoner, at every step, on random graphs.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "oracle/every_semantics.h"
#include "oracle/random_graph.h"
#include "reason/reasoner.h"
#include "reason/reference/reference.h"
#include "reason/tensor/tensor_size.h"

namespace neumann::oracle {
namespace {

// The same sums in another order.
constexpr double same_double = 1e-12;
constexpr double same_float = 2e-6;

struct Trial {
    std::uint64_t seed;
    Rng rng;
    ReasoningGraph graph;
    ReasonOptions options;
    std::vector<double> weights;
    std::vector<std::vector<double>> initial;
    InputBatch::Builder inputs;

    Trial(std::uint64_t number, Semantics semantics) : seed(number), rng(number) {
        GraphShape shape = random_shape(rng);
        if (number % 3 == 0) shape.negated = 0.4;
        graph = random_graph(rng, shape);
        constexpr double gammas[] = {0.01, 0.01, 0.015, 0.05, 0.2, 0.002};
        options.semantics = semantics;
        options.gamma = gammas[rng.below(6)];
        options.steps = rng.below(7);
        for (float weight : random_values(rng, graph.clause_count())) weights.push_back(weight);
        const std::size_t examples = 1 + rng.below(4);
        inputs.reset(examples);
        for (std::size_t e = 0; e < examples; ++e) add_example(e);
    }
    // Some atoms keep the value of their fact.
    void add_example(std::size_t example) {
        initial.emplace_back(graph.initial.begin(), graph.initial.end());
        const std::vector<float> values = random_values(rng, graph.atom_count());
        for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
            if (rng.chance(0.2)) continue;
            inputs.add(example, a, values[a]);
            initial.back()[a] = values[a];
        }
    }
    std::uint32_t steps() const { return *options.steps; }
    std::string text() const {
        const TensorSize size = tensor_size(graph, options);
        return fmt::format("seed {}: {} clauses × {} atoms × {} substitutions × {} body atoms, gamma {}, {} steps",
                           seed, size.clauses, size.atoms, size.substitutions, size.body_length, options.gamma,
                           steps());
    }
};

template <class Values>
double largest_difference(std::span<const double> values, const Values& expected) {
    double largest = values.size() == expected.size() ? 0 : INFINITY;
    for (std::size_t a = 0; a < std::min(values.size(), expected.size()); ++a)
        largest = std::max(largest, std::abs(values[a] - expected[a]));
    return largest;
}

class TensorSemantics : public testing::TestWithParam<Semantics> {};

INSTANTIATE_TEST_SUITE_P(Tensor, TensorSemantics, every_semantics(), semantics_name);

TEST_P(TensorSemantics, EqualsTheReferenceAndTheGraphAtEveryStep) {
    double worst = 0;
    double worst_graph = 0;
    std::size_t padded = 0;
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        Trial s(seed, GetParam());
        const auto tensor = make_reasoner("tensor", s.graph, s.options);
        const Pass run = tensor->forward(s.inputs.build(), s.weights, {.keep = Keep::History});
        const Schedule schedule = fixed_schedule(s.graph, s.steps());
        const ReferenceReasoner reference(s.graph, s.options.semantics, s.options.gamma, schedule);
        const auto tile = make_reasoner("tile", s.graph, s.options);
        const Pass tile_run = tile->forward(s.inputs.build(), s.weights, {.keep = Keep::History});
        std::vector<std::uint32_t> atoms(s.graph.atom_count());
        std::iota(atoms.begin(), atoms.end(), 0U);
        for (std::size_t e = 0; e < run.examples(); ++e) {
            const ReferenceRun expected = reference.forward(s.weights, s.initial[e]);
            const std::vector<std::vector<double>> history = run.history<double>(e, atoms);
            const std::vector<std::vector<double>> tile_history = tile_run.history<double>(e, atoms);
            ASSERT_EQ(expected.values.size(), schedule.total_steps() + 1) << s.text();
            ASSERT_EQ(history.size(), schedule.total_steps() + 1) << s.text();
            ASSERT_EQ(tile_history.size(), schedule.total_steps() + 1) << s.text();
            for (std::uint32_t t = 0; t <= schedule.total_steps(); ++t) {
                const double error = largest_difference(history[t], expected.values[t]);
                const double graph_error = largest_difference(history[t], tile_history[t]);
                ASSERT_LT(error, same_double) << "step " << t << " of example " << e << ", " << s.text();
                ASSERT_LT(graph_error, same_float) << "step " << t << " of example " << e << ", " << s.text();
                worst = std::max(worst, error);
                worst_graph = std::max(worst_graph, graph_error);
            }
        }
        const TensorSize size = tensor_size(s.graph, s.options);
        padded += size.clauses * size.atoms * size.substitutions > s.graph.conjunction_count() ? 1 : 0;
    }
    fmt::print("largest difference to the reference {:.2g}, to the graph reasoner {:.2g}\n", worst, worst_graph);
    EXPECT_GT(padded, 450U);
}

TEST_P(TensorSemantics, TheLastStepIsTheResult) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Trial s(seed, GetParam());
        const auto tensor = make_reasoner("tensor", s.graph, s.options);
        const Pass all = tensor->forward(s.inputs.build(), s.weights, {.keep = Keep::History});
        const Pass last = tensor->forward(s.inputs.build(), s.weights);
        std::vector<std::uint32_t> atoms(s.graph.atom_count());
        std::iota(atoms.begin(), atoms.end(), 0U);
        std::vector<double> values(atoms.size());
        for (std::size_t e = 0; e < all.examples(); ++e) {
            last.values(e, values);
            ASSERT_EQ(values, all.history<double>(e, atoms).back()) << s.text();
        }
    }
}

}  // namespace
}  // namespace neumann::oracle
