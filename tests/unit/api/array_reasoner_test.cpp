#include <array>
#include <vector>

#include <gtest/gtest.h>

#include <neumann/array_reasoner.h>
#include <neumann/examples.h>

#include "reason/gpu/component.h"
#include "unit/emulated_gpu.h"

namespace neumann {
namespace {

constexpr const char* wet = R"(
:- neural(rain).
:- neural(sprinkler).
:- neural(frost).
0.6::wet :- rain.
0.7::wet :- sprinkler.
slippery :- wet, frost.
)";

ArrayColumns columns(const Model& model) {
    return {.inputs = {model.find_atom("rain"), std::nullopt, model.find_atom("sprinkler")},
            .outputs = {std::nullopt, model.find_atom("wet")}};
}

TEST(ArrayReasoner, LeavesOutAbsentColumns) {
    const Model model = Model::parse(wet);
    const ArrayReasoner reasoner(model, columns(model), {.semantics = "noisy-or"});
    const std::array<float, 6> inputs{1, 0.5F, 0.5F, 0, 1, 0};
    std::array<float, 4> outputs{};
    reasoner.forward(2, inputs, {}, outputs);
    EXPECT_EQ(outputs[0], 0);
    EXPECT_FLOAT_EQ(outputs[1], 1 - 0.4F * 0.65F);
    EXPECT_EQ(outputs[3], 0);

    const ArrayPass pass = reasoner.forward_and_keep(2, inputs, {}, outputs);
    EXPECT_EQ(pass.examples(), 2U);
    const std::array<float, 4> seeds{5, 1, 5, 2};
    std::array<float, 6> by_input{9, 9, 9, 9, 9, 9};
    std::array<double, 3> by_weight{};
    reasoner.backward(pass, seeds, by_input, by_weight);
    EXPECT_FLOAT_EQ(by_input[0], 0.6F * 0.65F);
    EXPECT_EQ(by_input[1], 0);
    EXPECT_FLOAT_EQ(by_input[3], 2 * 0.6F);
    EXPECT_NEAR(by_weight[0], 0.65, 1e-6);
}

TEST(ArrayReasoner, KeepsDoublePrecisionFromInputsToGradients) {
    const Model model = Model::parse(wet);
    for (const char* semantics : {"noisy-or", "exact"}) {
        const ArrayReasoner reasoner(model, columns(model), {.semantics = semantics});
        const std::array<double, 3> inputs{1.0 / 3, 0, 1e-9};
        std::array<double, 2> outputs{};
        const ArrayPass pass = reasoner.forward_and_keep(1, inputs, {}, outputs);
        EXPECT_NEAR(outputs[1], 1 - (1 - 0.2) * (1 - 0.7e-9), 1e-15) << semantics;
        const std::array<double, 2> seeds{0, 1.0 / 7};
        std::array<double, 3> by_input{};
        reasoner.backward(pass, seeds, by_input, {});
        EXPECT_NEAR(by_input[2], 0.7 * 0.8 / 7, 1e-15) << semantics;
    }
}

TEST(ArrayReasoner, TakesOtherWeightsWithEachPass) {
    const Model model = Model::parse(wet);
    const std::vector<double> weights{0.5, 1, 1};
    for (const char* semantics : {"noisy-or", "exact"}) {
        ArrayColumns which = columns(model);
        which.varying = {0, 1, 2};
        const ArrayReasoner reasoner(model, which, {.semantics = semantics});
        const std::array<float, 3> inputs{1, 0, 0};
        std::array<float, 2> outputs{};
        reasoner.forward(1, inputs, weights, outputs);
        EXPECT_FLOAT_EQ(outputs[1], 0.5F) << semantics;
        reasoner.forward(1, inputs, {}, outputs);
        EXPECT_FLOAT_EQ(outputs[1], 0.6F) << semantics;
    }
}

TEST(ArrayReasoner, RefusesWrongCalls) {
    const Model model = Model::parse(wet);
    const ArrayReasoner reasoner(model, columns(model));
    const ArrayReasoner other(model, columns(model));
    std::array<float, 2> outputs{};
    std::array<float, 3> inputs{};
    EXPECT_THROW(reasoner.forward(2, inputs, {}, outputs), std::invalid_argument);
    inputs[0] = 1.5F;
    EXPECT_THROW(reasoner.forward(1, inputs, {}, outputs), std::invalid_argument);
    inputs[0] = 1;
    inputs[1] = -1;  // an absent column
    EXPECT_THROW(reasoner.forward(1, inputs, {}, outputs), std::invalid_argument);
    inputs[1] = 0;
    const ArrayPass pass = other.forward_and_keep(1, inputs, {}, outputs);
    EXPECT_THROW(reasoner.backward(pass, outputs, inputs, {}), std::invalid_argument);
    std::array<double, 2> seeds{};
    std::array<double, 3> by_input{};
    EXPECT_THROW(other.backward(pass, seeds, by_input, {}), std::invalid_argument);
    ArrayColumns twice = columns(model);
    twice.inputs[1] = twice.inputs[0];
    EXPECT_THROW(ArrayReasoner(model, twice), std::invalid_argument);
    EXPECT_THROW(ArrayReasoner(model, {.varying = {7}}), std::invalid_argument);
}

TEST(Model, NamesAllInstancesOfAPattern) {
    const Model model = Model::parse(R"(
:- type(image, [a, b]).
:- type(digit, 0..3).
:- neural(digit(image, digit)).
seven(I) :- digit(I, 3).
:- query(seven(a)).
)");
    const std::vector<Model::Instance> all = model.instances("digit(I,D)");
    ASSERT_EQ(all.size(), 8U);
    EXPECT_EQ(all[3].text, "digit(a,3)");
    EXPECT_TRUE(all[3].atom.has_value());
    EXPECT_EQ(all[4].text, "digit(b,0)");
    EXPECT_FALSE(all[4].atom.has_value());
    EXPECT_EQ(model.instances("digit(b,2)").size(), 1U);
    EXPECT_TRUE(all[3].can_be_given && all[4].can_be_given);
    EXPECT_FALSE(model.instances("seven(b)")[0].can_be_given);
    EXPECT_THROW(model.instances("digit(c,D)"), Error);
}

TEST(Examples, AreReadFromTexts) {
    const std::unique_ptr<ExampleSource> source = read_examples("{\"atoms\": {\"rain\": 0.5}, \"id\": 7}\n", "mine");
    const std::vector<Example> examples = source->next(10);
    ASSERT_EQ(examples.size(), 1U);
    EXPECT_EQ(examples[0].id, "7");
    EXPECT_EQ(source->place(examples[0]), "mine:1");
    EXPECT_TRUE(read_examples("")->next(10).empty());
}

// The memory of an emulated GPU is the processor's.
TEST(ArrayReasoner, ComputesInTheMemoryOfACard) {
    EmulatedGpu gpu;
    use_gpu_device(&gpu);
    const Model model = Model::parse(wet);
    ArrayColumns what = columns(model);
    what.outputs.push_back(model.find_atom("wet"));  // twice: gradients add up
    std::vector<float> inputs(3 * 20);
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = static_cast<float>(i % 7) / 7;
    std::vector<float> seeds(3 * 20);
    for (std::size_t i = 0; i < seeds.size(); ++i) seeds[i] = static_cast<float>(i % 5) - 1;
    struct Found {
        std::vector<float> outputs = std::vector<float>(3 * 20, 9);
        std::vector<float> by_input = std::vector<float>(3 * 20, 9);
        std::vector<double> by_weight = std::vector<double>(3, 9);
    };
    Found here;
    Found there;
    {
        const ArrayReasoner reasoner(model, what, {.semantics = "noisy-or", .engine = "cuda"});
        reasoner.backward(reasoner.forward_and_keep(20, inputs, {}, here.outputs), seeds, here.by_input,
                          here.by_weight);
        const GpuArray<const float> from{inputs.data(), inputs.size()};
        const GpuArray<float> to{there.outputs.data(), there.outputs.size()};
        const ArrayPass pass = reasoner.forward_and_keep(20, from, {}, to, GpuStream());
        reasoner.backward(pass, {seeds.data(), seeds.size()}, {there.by_input.data(), there.by_input.size()},
                          there.by_weight, GpuStream());
        EXPECT_EQ(there.outputs, here.outputs);
        EXPECT_EQ(there.by_input, here.by_input);
        EXPECT_EQ(there.by_weight, here.by_weight);
        EXPECT_THROW(reasoner.forward(19, from, {}, to, GpuStream()), std::invalid_argument);
        inputs[17] = 1.5F;
        EXPECT_THROW(reasoner.forward(20, from, {}, to, GpuStream()), std::invalid_argument);
        const ArrayReasoner processor(model, what, {.semantics = "noisy-or"});
        EXPECT_THROW(processor.forward(20, from, {}, to, GpuStream()), std::invalid_argument);
        const ArrayReasoner circuit(model, what, {.semantics = "exact", .engine = "cuda"});
        EXPECT_THROW(circuit.forward(20, from, {}, to, GpuStream()), std::invalid_argument);
    }
    use_gpu_device(nullptr);
}

}  // namespace
}  // namespace neumann
