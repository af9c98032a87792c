// The engine that chooses between a GPU and the processor.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graph/build.h"
#include "reason/gpu/component.h"
#include "reason/reasoner.h"
#include "unit/emulated_gpu.h"

namespace neumann {
namespace {

constexpr std::uint32_t inputs = 20;
constexpr std::uint32_t atoms = 60;

ReasoningGraph chosen_graph() {
    std::mt19937 random(3);
    GraphInput input;
    for (std::uint32_t i = 0; i < 400; ++i) {
        InstanceBlock block;
        block.clause = 0;
        block.may_collapse = true;
        block.width = 2;
        block.rows.push_back(inputs + random() % (atoms - inputs));
        for (int j = 0; j < 2; ++j) {
            block.negated.push_back(false);
            block.rows.push_back(static_cast<std::uint32_t>(random() % atoms));
        }
        input.blocks.push_back(std::move(block));
    }
    input.initial = PodVector<float>(atoms, 0.0F);
    input.weight = PodVector<double>(1, 0.7);
    return build_graph(std::move(input), 1);
}

InputBatch batch_of(std::size_t examples) {
    std::mt19937 random(5);
    InputBatch::Builder builder(examples);
    for (std::size_t e = 0; e < examples; ++e)
        for (std::uint32_t a = 0; a < inputs; ++a) builder.add(e, a, static_cast<float>(random() % 100) / 100);
    return builder.build();
}

InputBatch seeds_of(std::size_t examples) {
    InputBatch::Builder builder(examples);
    for (std::size_t e = 0; e < examples; ++e) builder.add(e, inputs + static_cast<std::uint32_t>(e % 30), 1.0F);
    return builder.build();
}

struct Outcome {
    std::vector<float> values;
    std::vector<float> by_atom;
    std::vector<double> sums = std::vector<double>(1, 0.25);  // what is there is added to
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

constexpr std::size_t many = 200;

class AutoEngine : public testing::Test {
protected:
    AutoEngine() { use_gpu_device(&gpu); }
    ~AutoEngine() override { use_gpu_device(nullptr); }

    static std::unique_ptr<GraphReasoner> make(const char* engine) {
        ReasonOptions options;
        options.steps = 4;
        return make_reasoner(engine, chosen_graph(), options);
    }
    static Pass forward(const GraphReasoner& with, std::size_t examples) {
        return with.forward(batch_of(examples), with.own_weights(), {.keep = Keep::Backward});
    }
    static Outcome read(const GraphReasoner& with, const Pass& pass) {
        Outcome result;
        std::vector<std::uint32_t> all(atoms);
        for (std::uint32_t a = 0; a < atoms; ++a) all[a] = a;
        result.values.resize(pass.examples() * atoms);
        pass.outputs(all, result.values);
        result.by_atom.resize(pass.examples() * atoms);
        const GradientSums sums{.by_clause = result.sums};
        with.backward(pass, seeds_of(pass.examples()), {.by_atom = result.by_atom, .sums = {&sums, 1}});
        return result;
    }
    static Outcome run(const GraphReasoner& with, std::size_t examples) { return read(with, forward(with, examples)); }

    EmulatedGpu gpu;
};

TEST_F(AutoEngine, LeavesSmallBatchesToTheProcessor) {
    const auto chooses = make("auto");
    EXPECT_EQ(run(*chooses, 3), run(*make("tile"), 3));
    EXPECT_NE(chooses->description().find("graph engine"), std::string::npos) << chooses->description();
}

TEST_F(AutoEngine, TakesTheGpuWhereItPaysAndStaysThere) {
    const auto chooses = make("auto");
    const auto cuda = make("cuda");
    EXPECT_EQ(run(*chooses, many), run(*cuda, many));
    EXPECT_NE(chooses->description().find("cuda engine, emulated"), std::string::npos) << chooses->description();
    EXPECT_EQ(run(*chooses, 3), run(*cuda, 3));
}

TEST_F(AutoEngine, GoesOnWithoutACardThatIsGone) {
    const Outcome expected = run(*make("tile"), many);
    for (const std::uint64_t calls : {0U, 3U, 12U, 25U}) {
        gpu.calls_left.reset();
        const auto chooses = make("auto");
        gpu.calls_left = calls;  // forwards
        EXPECT_EQ(run(*chooses, many), expected) << calls;
        EXPECT_NE(chooses->description().find("graph engine"), std::string::npos) << chooses->description();
    }
    for (const std::uint64_t calls : {0U, 2U, 8U, 20U, 35U}) {
        gpu.calls_left.reset();
        const auto chooses = make("auto");
        Pass pass = forward(*chooses, many);
        gpu.calls_left = calls;  // while it is read, or on the way back
        const Outcome found = read(*chooses, pass);
        EXPECT_EQ(found.by_atom, expected.by_atom) << calls;
        EXPECT_EQ(found.sums, expected.sums) << calls;
        gpu.calls_left = 0;
        pass = Pass();
    }
}

TEST_F(AutoEngine, GoesOnWithoutMemoryOfTheGpu) {
    gpu.memory = 1'000;
    EXPECT_EQ(run(*make("auto"), many), run(*make("tile"), many));
}

TEST_F(AutoEngine, ACardThatIsGoneIsAnErrorOfThoseWhoAskedForIt) {
    const auto cuda = make("cuda");
    gpu.calls_left = 10;
    EXPECT_THROW(run(*cuda, many), GpuError);
}

}  // namespace
}  // namespace neumann
