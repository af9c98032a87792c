#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/build.h"
#include "reason/reasoner.h"
#include "reason/tensor/tensor_size.h"

namespace neumann {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

// All instances of one clause as {head, body …}.
InstanceBlock instances(std::uint32_t clause, std::uint32_t width, const std::vector<std::uint32_t>& rows) {
    InstanceBlock block;
    block.clause = clause;
    block.width = width;
    block.rows.append(rows);
    return block;
}

ReasoningGraph graph_of(std::uint32_t atoms, std::uint32_t clauses, std::vector<InstanceBlock> blocks) {
    GraphInput input;
    input.blocks = std::move(blocks);
    input.initial = PodVector<float>(atoms, 0.0F);
    input.weight = PodVector<double>(clauses, 1.0);
    return build_graph(std::move(input), 1);
}

// Clause 0 derives 3 in two ways, clause 1 from a body of three, clause 2 derives 0 from nothing.
ReasoningGraph small_graph() {
    return graph_of(5, 3, {instances(0, 1, {3, 1, 3, 2, 4, 1}), instances(1, 3, {3, 0, 1, 2}), instances(2, 0, {0})});
}

ReasonOptions options_with(Semantics semantics, std::uint32_t steps) {
    ReasonOptions options;
    options.semantics = semantics;
    options.steps = steps;
    return options;
}

std::string refusal(const ReasoningGraph& graph, std::uint64_t limit) {
    ReasonOptions options = options_with(semantics_named("softor"), 1);
    options.memory_limit = limit;
    try {
        make_reasoner("tensor", graph, options);
    } catch (const TensorTooLarge& error) {
        return error.what();
    }
    return "none";
}

TEST(TensorSize, OfASmallGraphByHand) {
    const TensorSize size = tensor_size(small_graph(), options_with(semantics_named("softor"), 4));
    EXPECT_EQ(size.clauses, 3U);
    EXPECT_EQ(size.atoms, 5U);
    EXPECT_EQ(size.substitutions, 2U);
    EXPECT_EQ(size.body_length, 3U);
    EXPECT_EQ(size.index_bytes, 4U * 3 * 5 * 2 * 3);
    // Inputs, two states with true and false, the conjunctions of one atom, one body, and the result.
    EXPECT_EQ(size.total_bytes, 360U + 8 * (5 + 2 * 7 + 3 * 2 + 3 + 5));
    EXPECT_EQ(size.dense_matrix, 5U * 5);
}

TEST(TensorSize, GrowsWithTheBatchTheHistoryAndTheStateOfThePaper) {
    const ReasoningGraph graph = small_graph();
    const ReasonOptions options = options_with(semantics_named("softor"), 4);
    const std::uint64_t one = tensor_size(graph, options).total_bytes;
    EXPECT_EQ(tensor_size(graph, options, 10).total_bytes, one + std::uint64_t{8} * 9 * 5);
    EXPECT_EQ(tensor_size(graph, options, 10, true).total_bytes, one + std::uint64_t{8} * (10 * 5 - 1) * 5);
    EXPECT_EQ(tensor_size(graph, options_with(semantics_named("paper"), 4)).total_bytes,
              one + std::uint64_t{8} * 3 * 5 * 2);
}

TEST(TensorSize, ConjunctionsOfOneClauseNeedNotBeNeighbours) {
    const ReasoningGraph graph =
        graph_of(3, 2, {instances(0, 1, {2, 0}), instances(1, 1, {2, 0}), instances(0, 1, {2, 1})});
    EXPECT_EQ(tensor_size(graph, {}).substitutions, 2U);
}

TEST(TensorSize, WithoutConjunctionsThereIsNoTensor) {
    const TensorSize size = tensor_size(graph_of(4, 2, {}), {});
    EXPECT_EQ(size.substitutions, 0U);
    EXPECT_EQ(size.index_bytes, 0U);
    EXPECT_EQ(size.dense_matrix, 0U);
}

TEST(TensorReasoner, RefusesWhatDoesNotFitAndSaysHowMuchItIs) {
    const std::uint64_t needed = tensor_size(small_graph(), {}).total_bytes;
    EXPECT_EQ(refusal(small_graph(), needed), "none");
    EXPECT_EQ(refusal(small_graph(), needed - 1),
              "a tensor of 3 clauses × 5 atoms × 2 substitutions × 3 body atoms needs 624 bytes with its values; "
              "the limit is 623 bytes");
}

TEST(TensorReasoner, RefusesABatchWhoseValuesDoNotFit) {
    ReasonOptions options = options_with(semantics_named("softor"), 2);
    options.memory_limit = tensor_size(small_graph(), options, 3).total_bytes;
    const auto reasoner = make_reasoner("tensor", small_graph(), options);
    const auto forward = [&](std::size_t examples, Keep keep) {
        return reasoner->forward(InputBatch(examples), reasoner->own_weights(), {.keep = keep});
    };
    EXPECT_NO_THROW(forward(3, Keep::Results));
    EXPECT_THROW(forward(4, Keep::Results), TensorTooLarge);
    EXPECT_THROW(forward(3, Keep::History), TensorTooLarge);
}

TEST(TensorReasoner, AFewConjunctionsCanBeMoreThanAnyMemory) {
    // 2^18 clauses × 2^18 atoms × 2^14 substitutions × 2^14 body places: 2^66 bytes for 2^14 + 1 conjunctions.
    constexpr std::uint32_t many = 1U << 14;
    constexpr std::uint32_t lots = 1U << 18;
    std::vector<std::uint32_t> heads(many, 0);
    std::vector<std::uint32_t> long_body(many + 1);
    for (std::uint32_t i = 0; i <= many; ++i) long_body[i] = i;
    const ReasoningGraph graph = graph_of(lots, lots, {instances(0, 0, heads), instances(1, many, long_body)});
    const TensorSize size = tensor_size(graph, {});
    EXPECT_EQ(size.substitutions, many);
    EXPECT_EQ(size.body_length, many);
    EXPECT_EQ(size.index_bytes, most);
    EXPECT_EQ(size.total_bytes, most);
    EXPECT_EQ(size.dense_matrix, (std::uint64_t{many} + 1) << 18);
    EXPECT_NE(refusal(graph, most).find("needs at least 16777216.0 TiB"), std::string::npos) << refusal(graph, most);
    EXPECT_EQ(tensor_size(small_graph(), {}, most / 8).total_bytes, most) << "the batch alone";
    EXPECT_EQ(tensor_size(small_graph(), {}, most / 8 / 5 - 10).total_bytes, most) << "only with the tensor";
}

TEST(TensorReasoner, EveryStepByHand) {
    // 1 and 2 are given; 0 holds of itself, so that clause 1 adds to 3 in the second step.
    InputBatch::Builder inputs(2);
    inputs.add(0, 1, 0.5F);
    inputs.add(0, 2, 0.25F);
    inputs.add(1, 4, 0.75F);
    const auto reasoner = make_reasoner("tensor", small_graph(), options_with(semantics_named("noisy-or"), 2));
    const Pass run = reasoner->forward(inputs.build(), std::vector<double>{0.5, 1.0, 0.8}, {.keep = Keep::History});
    const std::vector<std::uint32_t> atoms = {0, 1, 2, 3, 4};
    const std::vector<std::vector<double>> first = run.history<double>(0, atoms);
    EXPECT_EQ(first[0], (std::vector<double>{0, 0.5, 0.25, 0, 0}));
    const double twice = 1 - 0.75 * 0.875;
    EXPECT_EQ(first[1][3], twice);
    EXPECT_DOUBLE_EQ(first[1][0], 0.8);
    EXPECT_DOUBLE_EQ(first[2][3], 1 - (1 - twice) * 0.9);
    EXPECT_EQ(first[2][4], 0.25);
    EXPECT_EQ(run.history<double>(1, atoms)[2][4], 0.75);
    EXPECT_EQ(run.value(3, 1), 0) << "example 0 is forgotten";
}

TEST(TensorReasoner, PaddingDoesNotLeakUnderThePaper) {
    // 2 ← 0 is the only conjunction of its clause, 2 ← 1 one of three: five places for two conjunctions of 2.
    const ReasoningGraph graph = graph_of(4, 2, {instances(0, 1, {2, 0}), instances(1, 1, {2, 1, 3, 0, 3, 1, 3, 2})});
    const auto reasoner = make_reasoner("tensor", graph, options_with(semantics_named("paper"), 1));
    std::vector<double> values(4);
    reasoner->forward(InputBatch(1), reasoner->own_weights()).values(0, values);
    // v = γ·log 2 for both, γ·log(2 + 2) together, and with the atom itself γ·log(1 + 4).
    EXPECT_NEAR(values[2], 0.01 * std::log(5.0), 1e-15);
    EXPECT_EQ(values[0], 0) << "nothing derives it";
}

TEST(TensorReasoner, WithoutConjunctionsTheInputsStay) {
    InputBatch::Builder inputs(1);
    inputs.add(0, 1, 0.5F);
    for (const SemanticsInfo& semantics : all_semantics()) {
        const auto reasoner = make_reasoner("tensor", graph_of(2, 1, {}), options_with(semantics.semantics, 3));
        const Pass run = reasoner->forward(inputs.build(), reasoner->own_weights());
        EXPECT_EQ(run.value(0, 0), 0) << semantics.name;
        EXPECT_EQ(run.value(1, 0), 0.5) << semantics.name;
    }
}

TEST(TensorReasoner, NeedsANumberOfStepsAndHasNoGradients) {
    EXPECT_THROW(make_reasoner("tensor", small_graph(), {}), ReasonError);
    const auto reasoner = make_reasoner("tensor", small_graph(), options_with(semantics_named("softor"), 1));
    EXPECT_FALSE(reasoner->engine().gradients);
    const Pass run = reasoner->forward(InputBatch(1), reasoner->own_weights(), {.keep = Keep::Backward});
    EXPECT_THROW(reasoner->backward(run, InputBatch(1), {}), ReasonError);
}

}  // namespace
}  // namespace neumann
