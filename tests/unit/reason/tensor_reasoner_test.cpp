#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/build.h"
#include "reason/tensor/tensor_reasoner.h"

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

TensorOptions options_with(Semantics semantics, std::uint32_t steps) {
    TensorOptions options;
    options.semantics = semantics;
    options.steps = steps;
    return options;
}

std::string refusal(const ReasoningGraph& graph, std::uint64_t limit) {
    TensorOptions options;
    options.memory_limit = limit;
    try {
        const TensorReasoner reasoner(graph, options);
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
    const TensorOptions options = options_with(semantics_named("softor"), 4);
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
    TensorOptions options = options_with(semantics_named("softor"), 2);
    options.memory_limit = tensor_size(small_graph(), options, 3).total_bytes;
    TensorReasoner reasoner(small_graph(), options);
    EXPECT_NO_THROW(reasoner.forward(AtomNumbers(3)));
    EXPECT_THROW(reasoner.forward(AtomNumbers(4)), TensorTooLarge);
    EXPECT_THROW(reasoner.forward(AtomNumbers(3), true), TensorTooLarge);
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
    AtomNumbers inputs(2);
    inputs.set(0, 1, 0.5F);
    inputs.set(0, 2, 0.25F);
    inputs.set(1, 4, 0.75F);
    TensorReasoner reasoner(small_graph(), options_with(semantics_named("noisy-or"), 2));
    reasoner.set_weights(std::vector<double>{0.5, 1.0, 0.8});
    const TensorRun run = reasoner.forward(inputs, true);
    const std::span<const double> start = run.history(0, 0);
    EXPECT_EQ(std::vector<double>(start.begin(), start.end()), (std::vector<double>{0, 0.5, 0.25, 0, 0}));
    const double twice = 1 - 0.75 * 0.875;
    EXPECT_EQ(run.history(1, 0)[3], twice);
    EXPECT_DOUBLE_EQ(run.history(1, 0)[0], 0.8);
    EXPECT_DOUBLE_EQ(run.history(2, 0)[3], 1 - (1 - twice) * 0.9);
    EXPECT_DOUBLE_EQ(run.value(3, 0), 1 - (1 - twice) * 0.9);
    EXPECT_EQ(run.value(4, 0), 0.25);
    EXPECT_EQ(run.history(2, 1)[4], 0.75);
    EXPECT_EQ(run.value(3, 1), 0) << "example 0 is forgotten";
}

TEST(TensorReasoner, PaddingDoesNotLeakUnderThePaper) {
    // 2 ← 0 is the only conjunction of its clause, 2 ← 1 one of three: five places for two conjunctions of 2.
    const ReasoningGraph graph = graph_of(4, 2, {instances(0, 1, {2, 0}), instances(1, 1, {2, 1, 3, 0, 3, 1, 3, 2})});
    TensorReasoner reasoner(graph, options_with(semantics_named("paper"), 1));
    const TensorRun run = reasoner.forward(AtomNumbers(1));
    // v = γ·log 2 for both, γ·log(2 + 2) together, and with the atom itself γ·log(1 + 4).
    EXPECT_NEAR(run.value(2, 0), 0.01 * std::log(5.0), 1e-15);
    EXPECT_EQ(run.value(0, 0), 0) << "nothing derives it";
}

TEST(TensorReasoner, WithoutConjunctionsTheInputsStay) {
    AtomNumbers inputs(1);
    inputs.set(0, 1, 0.5F);
    for (const SemanticsInfo& semantics : all_semantics()) {
        TensorReasoner reasoner(graph_of(2, 1, {}), options_with(semantics.semantics, 3));
        const TensorRun run = reasoner.forward(inputs);
        EXPECT_EQ(run.value(0, 0), 0) << semantics.name;
        EXPECT_EQ(run.value(1, 0), 0.5) << semantics.name;
    }
}

TEST(TensorReasoner, WrongCallsAreRefused) {
    TensorOptions options = options_with(semantics_named("softor"), 1);
    TensorReasoner reasoner(small_graph(), options);
    EXPECT_THROW(reasoner.set_weights(std::vector<double>{1, 1}), ReasonError);
    EXPECT_THROW(reasoner.set_weights(std::vector<double>{1, 1.5, 1}), ReasonError);
    AtomNumbers no_such_atom(1);
    no_such_atom.set(0, 5, 0.5F);
    EXPECT_THROW(reasoner.forward(no_such_atom), ReasonError);
    AtomNumbers no_probability(1);
    no_probability.set(0, 0, -0.5F);
    EXPECT_THROW(reasoner.forward(no_probability), ReasonError);
    EXPECT_THROW(reasoner.forward(AtomNumbers(1)).history(0, 0), ReasonError);
    EXPECT_THROW(reasoner.forward(AtomNumbers(1), true).history(2, 0), ReasonError);
    options.gamma = 0;
    EXPECT_THROW(TensorReasoner(small_graph(), options), ReasonError);
}

}  // namespace
}  // namespace neumann
