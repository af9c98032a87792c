// Circuits by vector instructions beside those in double precision; any number of threads, any batch, any kernel.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "reason/choose_kernel.h"
#include "reason/gpu/component.h"
#include "unit/emulated_gpu.h"
#include "worlds/circuit_evaluation.h"
#include "worlds/circuit_runner.h"
#include "worlds/scaled_number.h"

namespace neumann {
namespace {

constexpr double value_tolerance = 1e-6;
constexpr double gradient_tolerance = 1e-4;

// Decisions of two and three ways, and products, of nodes that stand before.
Circuit random_circuit(Rng& random, std::size_t nodes) {
    Circuit circuit;
    for (std::uint32_t fact = 0; fact < 12; ++fact) circuit.facts.push_back(fact);
    circuit.clauses = {3};
    for (std::uint32_t parameter = 0; parameter < 11; ++parameter)
        circuit.distributions.push_back({static_cast<std::uint32_t>(circuit.ways()), {parameter}});
    circuit.distributions.push_back({static_cast<std::uint32_t>(circuit.ways()), {11, 12}});
    PodVector<std::uint32_t> term_begin(circuit.first_sum());
    PodVector<Circuit::Node> left;
    PodVector<Circuit::Node> right;
    for (auto node = static_cast<std::uint32_t>(circuit.first_sum()); node < nodes; ++node) {
        term_begin.push_back(static_cast<std::uint32_t>(left.size()));
        const Circuit::Distribution& one = circuit.distributions[random.below(12)];
        if (random.below(8) == 0) {  // a product
            left.push_back(random.below(node));
            right.push_back(random.below(node));
            continue;
        }
        for (std::size_t way = 0; way <= one.parameters.size(); ++way) {
            left.push_back(Circuit::node_of_way(one.first_way + static_cast<std::uint32_t>(way)));
            right.push_back(random.below(node));
        }
    }
    term_begin.push_back(static_cast<std::uint32_t>(left.size()));
    circuit.term_begin = SharedArray(std::move(term_begin));
    circuit.left = SharedArray(std::move(left));
    circuit.right = SharedArray(std::move(right));
    for (std::uint32_t i = 1; i <= 3; ++i) circuit.asked.push_back(static_cast<std::uint32_t>(nodes) - i);
    circuit.observed = static_cast<std::uint32_t>(nodes / 2);
    return circuit;
}

struct Outcome {
    std::vector<double> values;
    std::vector<double> gradients;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run(const CircuitRunner& runner, const Circuit& circuit, const CircuitBatch& batch,
            std::span<const double> seeds) {
    Outcome outcome;
    outcome.values.resize(batch.examples * (circuit.asked.size() + 1));
    outcome.gradients.resize(batch.examples * circuit.parameters());
    runner.forward(batch, outcome.values);
    runner.backward(batch, seeds, outcome.gradients);
    return outcome;
}

class CircuitRunners : public testing::Test {
protected:
    CircuitRunners() : circuit(random_circuit(random, 400)) {
        for (std::size_t i = 0; i < examples * circuit.facts.size(); ++i) facts.push_back(random.uniform() / 2);
        for (std::size_t i = 0; i < examples * (circuit.asked.size() + 1); ++i) seeds.push_back(random.uniform() - 0.5);
    }
    CircuitBatch batch(std::size_t first, std::size_t count) const {
        const std::size_t width = circuit.facts.size();
        return {count, std::span(facts).subspan(first * width, count * width), clauses};
    }
    std::span<const double> seeds_of(std::size_t first, std::size_t count) const {
        return std::span(seeds).subspan(first * (circuit.asked.size() + 1), count * (circuit.asked.size() + 1));
    }
    Outcome tiles(const ReasonOptions& options) const {
        return run(*make_tile_circuit_runner(circuit, options), circuit, batch(0, examples), seeds);
    }

    static constexpr std::size_t examples = 100;
    Rng random{7};
    Circuit circuit;
    std::vector<double> facts;
    std::vector<double> seeds;
    std::array<double, 1> clauses{0.4};
};

TEST_F(CircuitRunners, KernelsAgreeWithDoublePrecision) {
    const Outcome expected = run(*make_reference_circuit_runner(circuit), circuit, batch(0, examples), seeds);
    for (const Kernel* kernel : available_kernels()) {
        ReasonOptions options;
        options.kernel = kernel->name;
        const Outcome found = tiles(options);
        for (std::size_t i = 0; i < found.values.size(); ++i)
            ASSERT_NEAR(found.values[i], expected.values[i], value_tolerance) << kernel->name;
        for (std::size_t i = 0; i < found.gradients.size(); ++i)
            ASSERT_NEAR(found.gradients[i], expected.gradients[i], gradient_tolerance) << kernel->name;
    }
}

TEST_F(CircuitRunners, ScaledNumbersAgreeWithDoublePrecision) {
    const Outcome expected = run(*make_reference_circuit_runner(circuit), circuit, batch(0, examples), seeds);
    CircuitEvaluation<ScaledNumber> scaled(circuit);
    const std::size_t asked = circuit.asked.size() + 1;
    for (std::size_t e = 0; e < examples; ++e) {
        scaled.forward(batch(0, examples).facts_of(e), clauses);
        for (std::size_t i = 0; i + 1 < asked; ++i)
            ASSERT_NEAR(scaled.value(circuit.asked[i]).value(), expected.values[e * asked + i], 1e-14);
        std::vector<ScaledNumber> row;
        for (const double seed : seeds_of(e, 1)) row.emplace_back(seed);
        const std::vector<ScaledNumber> found = scaled.backward(row);
        for (std::size_t p = 0; p < found.size(); ++p)
            ASSERT_NEAR(found[p].value(), expected.gradients[e * found.size() + p], 1e-12);
    }
}

TEST(ScaledNumbers, HaveNoSmallest) {
    ScaledNumber product(1.0);
    for (int i = 0; i < 10'000; ++i) product = product * ScaledNumber(1e-300);
    EXPECT_EQ(product.value(), 0);
    EXPECT_FALSE(product.is_zero());
    ScaledNumber sum = product;
    sum += product;
    EXPECT_DOUBLE_EQ((sum / product).value(), 2);
    sum += ScaledNumber(0.25);
    EXPECT_DOUBLE_EQ(sum.value(), 0.25);
    EXPECT_TRUE((product - product).is_zero());
}

TEST_F(CircuitRunners, ThreadsDoNotMatter) {
    ReasonOptions options;
    const Outcome one = tiles(options);
    options.threads = 4;
    options.parallel_from = 1;
    EXPECT_EQ(tiles(options), one);
}

TEST_F(CircuitRunners, NeighboursInABatchDoNotMatter) {
    const auto runner = make_tile_circuit_runner(circuit, {});
    const Outcome all = run(*runner, circuit, batch(0, examples), seeds);
    for (const std::size_t first : {0U, 15U, 63U, 99U}) {
        const Outcome alone = run(*runner, circuit, batch(first, 1), seeds_of(first, 1));
        for (std::size_t i = 0; i < alone.values.size(); ++i)
            EXPECT_EQ(alone.values[i], all.values[first * alone.values.size() + i]);
        for (std::size_t i = 0; i < alone.gradients.size(); ++i)
            EXPECT_EQ(alone.gradients[i], all.gradients[first * alone.gradients.size() + i]);
    }
}

// What GPUs do, on one that is none.
class GpuCircuits : public CircuitRunners {
protected:
    GpuCircuits() { use_gpu_device(&gpu); }
    ~GpuCircuits() override { use_gpu_device(nullptr); }
    EmulatedGpu gpu;
};

TEST_F(GpuCircuits, AgreeWithDoublePrecision) {
    const Outcome expected = run(*make_reference_circuit_runner(circuit), circuit, batch(0, examples), seeds);
    const Outcome found = run(*make_gpu_circuit_runner(circuit), circuit, batch(0, examples), seeds);
    EXPECT_EQ(found.values, expected.values);
    for (std::size_t i = 0; i < found.gradients.size(); ++i)
        ASSERT_NEAR(found.gradients[i], expected.gradients[i], 1e-12);
}

TEST_F(GpuCircuits, DependOnTheExampleAlone) {
    const auto runner = make_gpu_circuit_runner(circuit);
    const Outcome all = run(*runner, circuit, batch(0, examples), seeds);
    gpu.backwards = true;
    EXPECT_EQ(run(*runner, circuit, batch(0, examples), seeds), all);
    gpu.memory = 200'000;  // for some of the examples
    EXPECT_EQ(run(*make_gpu_circuit_runner(circuit), circuit, batch(0, examples), seeds), all);
    const Outcome alone = run(*runner, circuit, batch(63, 1), seeds_of(63, 1));
    for (std::size_t i = 0; i < alone.gradients.size(); ++i)
        EXPECT_EQ(alone.gradients[i], all.gradients[63 * alone.gradients.size() + i]);
}

TEST_F(GpuCircuits, SayWhatHasNoRoom) {
    const auto runner = make_gpu_circuit_runner(circuit);
    gpu.memory = 1'000;
    try {
        run(*runner, circuit, batch(0, examples), seeds);
        ADD_FAILURE() << "nothing was refused";
    } catch (const GpuError& error) {
        EXPECT_NE(std::string(error.what()).find("for 32 examples, of which"), std::string::npos) << error.what();
    }
}

TEST_F(GpuCircuits, GoOnWithoutACardThatIsGone) {
    const Circuit large = random_circuit(random, 20'000);
    const Outcome expected = run(*make_tile_circuit_runner(large, {}), large, batch(0, examples), seeds);
    const auto precise = run(*make_gpu_circuit_runner(large), large, batch(0, examples), seeds);
    const auto chooses = make_auto_circuit_runner(large, {});
    EXPECT_EQ(run(*chooses, large, batch(0, examples), seeds), precise);  // a GPU was there and paid
    for (const std::uint64_t calls : {0U, 1U, 20U}) {
        gpu.calls_left.reset();
        const auto runner = make_auto_circuit_runner(large, {});
        gpu.calls_left = calls;
        EXPECT_EQ(run(*runner, large, batch(0, examples), seeds), expected);
    }
    gpu.calls_left = 5;
    EXPECT_THROW(run(*make_gpu_circuit_runner(large), large, batch(0, examples), seeds), GpuError);
}

}  // namespace
}  // namespace neumann
