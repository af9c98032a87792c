// The engine `cuda` on an emulated GPU: what a GPU computes, but for the launches.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graph/build.h"
#include "reason/gpu/component.h"
#include "reason/reasoner.h"
#include "unit/all_gradients.h"
#include "unit/emulated_gpu.h"

namespace neumann {
namespace {

class CudaEngine : public testing::Test {
protected:
    CudaEngine() { use_gpu_device(&gpu); }
    ~CudaEngine() override { use_gpu_device(nullptr); }
    static EmulatedGpu gpu;  // passes may live on
};
EmulatedGpu CudaEngine::gpu;

struct RandomGraph {
    std::uint32_t inputs = 12;
    std::uint32_t derived = 20;
    std::uint32_t conjunctions = 90;
    std::uint32_t heavy = 0;  // more conjunctions for one head
    bool negation = false;
    bool cyclic = true;
};

// Clauses have a length of their own; negated atoms come from below.
ReasoningGraph random_graph(const RandomGraph& shape, std::mt19937& random) {
    const auto below = [&](std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); };
    constexpr std::uint32_t clauses = 6;
    GraphInput input;
    for (std::uint32_t i = 0; i < shape.conjunctions + shape.heavy; ++i) {
        const std::uint32_t head = i < shape.conjunctions ? shape.inputs + below(shape.derived) : shape.inputs + 3;
        InstanceBlock block;
        block.clause = below(clauses);
        block.may_collapse = true;
        block.width = block.clause % 5;
        block.rows.push_back(head);
        for (std::uint32_t j = 0; j < block.width; ++j) {
            const bool negated = shape.negation && below(3) == 0;
            block.negated.push_back(negated);
            block.rows.push_back(below(negated ? shape.inputs : shape.cyclic ? shape.inputs + shape.derived : head));
        }
        input.blocks.push_back(std::move(block));
    }
    std::ranges::stable_sort(input.blocks, {}, &InstanceBlock::clause);
    input.initial = PodVector<float>(shape.inputs + shape.derived, 0.0F);
    input.weight = PodVector<double>(clauses, 1.0);
    for (std::uint32_t k = 0; k < clauses; ++k) input.weight[k] = std::vector{0.3, 1.0, 0.05, 0.6, 0.0, 0.25}[k];
    return build_graph(std::move(input), 1);
}

InputBatch random_inputs(const ReasoningGraph& graph, std::size_t examples, std::mt19937& random) {
    InputBatch::Builder inputs(examples);
    for (std::size_t e = 0; e < examples; ++e) {
        for (std::uint32_t a = 0; a < graph.atom_count(); a += 1 + random() % 2) {
            const std::vector<float> values = {0.0F, 1.0F, 0.5F, static_cast<float>(random() % 1000) / 1000};
            inputs.add(e, a, values[random() % (a < 12 ? 4 : 1)]);
        }
    }
    return inputs.build();
}

InputBatch random_seeds(const ReasoningGraph& graph, std::size_t examples, std::mt19937& random) {
    InputBatch::Builder seeds(examples);
    for (std::size_t e = 0; e < examples; ++e) {
        for (int i = 0; i < 4; ++i)
            seeds.add(e, random() % graph.atom_count(), static_cast<float>(random() % 200) / 100 - 1);
    }
    return seeds.build();
}

struct Outcome {
    std::vector<float> values;
    std::vector<float> by_atom;
    std::vector<float> by_clause;
    std::vector<std::uint32_t> rounds;
};

Outcome run(const std::string& engine, const ReasoningGraph& graph, const ReasonOptions& options,
            const InputBatch& inputs, const InputBatch& seeds) {
    const auto reasoner = make_reasoner(engine, graph, options);
    Outcome result;
    Pass pass;
    for (int i = 0; i < 3; ++i) {  // in the same memory, the way it was noted
        pass = reasoner->forward(inputs, reasoner->own_weights(), {.keep = Keep::Backward}, std::move(pass));
        const std::size_t examples = inputs.examples();
        result.values.resize(examples * graph.atom_count());
        std::vector<std::uint32_t> atoms(graph.atom_count());
        for (std::uint32_t a = 0; a < atoms.size(); ++a) atoms[a] = a;
        pass.outputs(atoms, result.values);
        result.by_atom.resize(examples * graph.atom_count());
        result.by_clause.resize(examples * graph.clause_count());
        reasoner->backward(pass, seeds, {.by_atom = result.by_atom, .by_clause = result.by_clause});
    }
    for (std::size_t e = 0; e < inputs.examples(); ++e) {
        for (const std::uint32_t rounds : pass.rounds(e)) result.rounds.push_back(rounds);
    }
    return result;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& expected, double tolerance,
                 const std::string& what) {
    ASSERT_EQ(found.size(), expected.size());
    double largest = 1;
    for (const float x : expected) largest = std::max(largest, std::abs(static_cast<double>(x)));
    for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_NEAR(found[i], expected[i], tolerance * largest) << what << " " << i;
}

void compare_with_reference(const RandomGraph& shape, std::optional<std::uint32_t> steps, unsigned rounds,
                            std::uint32_t first_seed) {
    for (const SemanticsInfo& semantics : all_semantics()) {
        if (semantics.needs_steps && !steps) continue;
        for (std::uint32_t seed = first_seed; seed < first_seed + rounds; ++seed) {
            SCOPED_TRACE(std::string(semantics.name) + ", seed " + std::to_string(seed));
            std::mt19937 random(seed);
            const ReasoningGraph graph = random_graph(shape, random);
            const InputBatch inputs = random_inputs(graph, 21, random);
            const InputBatch seeds = random_seeds(graph, 21, random);
            ReasonOptions options;
            options.semantics = semantics.semantics;
            options.gamma = 0.05;
            options.steps = steps;
            const Outcome expected = run("reference", graph, options, inputs, seeds);
            const Outcome found = run("cuda", graph, options, inputs, seeds);
            expect_near(found.values, expected.values, 2e-6, "value");
            if (!semantics.smooth) continue;  // ties may fall the other way in single precision
            expect_near(found.by_atom, expected.by_atom, 1e-5, "gradient of atom");
            expect_near(found.by_clause, expected.by_clause, 1e-5, "gradient of clause");
            EXPECT_EQ(found.rounds, expected.rounds);
        }
    }
}

// Where nothing cancels, each gradient is as precise as it is itself large.
TEST_F(CudaEngine, EachGradientIsPreciseInItself) {
    for (const SemanticsInfo& semantics : all_semantics()) {
        if (!semantics.smooth) continue;
        for (std::uint32_t seed = 1; seed < 4; ++seed) {
            SCOPED_TRACE(std::string(semantics.name) + ", seed " + std::to_string(seed));
            std::mt19937 random(seed);
            const ReasoningGraph graph = random_graph({.heavy = seed == 1 ? 300U : 0U}, random);
            const InputBatch inputs = random_inputs(graph, 5, random);
            InputBatch::Builder seeds(5);
            for (std::size_t e = 0; e < 5; ++e) {
                for (std::uint32_t a = 0; a < graph.atom_count(); ++a)
                    seeds.add(e, a, static_cast<float>(1 + random() % 100) / 100);
            }
            ReasonOptions options;
            options.semantics = semantics.semantics;
            options.gamma = 0.05;
            options.steps = 3;
            const Outcome expected = run("reference", graph, options, inputs, seeds.build());
            const Outcome found = run("cuda", graph, options, inputs, seeds.build());
            for (std::size_t i = 0; i < found.by_atom.size(); ++i)
                ASSERT_NEAR(found.by_atom[i], expected.by_atom[i], 1e-5 * std::abs(expected.by_atom[i]) + 1e-12) << i;
            for (std::size_t i = 0; i < found.by_clause.size(); ++i)
                ASSERT_NEAR(found.by_clause[i], expected.by_clause[i], 1e-5 * std::abs(expected.by_clause[i]) + 1e-12)
                    << i;
        }
    }
}

// Where ties decide, the tile engine is what to compare with: its values are the same numbers.
void compare_with_tiles(const RandomGraph& shape, std::optional<std::uint32_t> steps, std::uint32_t first_seed) {
    for (const SemanticsInfo& semantics : all_semantics()) {
        if (semantics.needs_steps && !steps) continue;
        for (std::uint32_t seed = first_seed; seed < first_seed + 4; ++seed) {
            SCOPED_TRACE(std::string(semantics.name) + ", seed " + std::to_string(seed));
            std::mt19937 random(seed);
            const ReasoningGraph graph = random_graph(shape, random);
            const InputBatch inputs = random_inputs(graph, 21, random);
            const InputBatch seeds = random_seeds(graph, 21, random);
            ReasonOptions options;
            options.semantics = semantics.semantics;
            options.gamma = 0.05;
            options.steps = steps;
            options.kernel = "scalar";
            const Outcome expected = run("tile", graph, options, inputs, seeds);
            const Outcome found = run("cuda", graph, options, inputs, seeds);
            expect_near(found.values, expected.values, 1e-6, "value");
            expect_near(found.by_atom, expected.by_atom, 1e-5, "gradient of atom");
            expect_near(found.by_clause, expected.by_clause, 1e-5, "gradient of clause");
            EXPECT_EQ(found.rounds, expected.rounds);
        }
    }
}

TEST_F(CudaEngine, TStepsAreTheReferences) { compare_with_reference({}, 4, 6, 1); }
TEST_F(CudaEngine, AutomaticStepsAreTheReferences) { compare_with_reference({}, std::nullopt, 6, 101); }
TEST_F(CudaEngine, NegationIsTheReferences) {
    compare_with_reference({.negation = true}, 3, 4, 201);
    compare_with_reference({.negation = true}, std::nullopt, 4, 301);
}
TEST_F(CudaEngine, HeadsOfManyChunksAreTheReferences) {
    compare_with_reference({.heavy = 2'500}, 2, 2, 401);
    compare_with_reference({.heavy = 150, .negation = true}, 2, 2, 501);
}
TEST_F(CudaEngine, TiesFallAsOnTheProcessor) {
    compare_with_tiles({}, 3, 601);
    compare_with_tiles({.heavy = 400}, 2, 701);
    compare_with_tiles({.negation = true}, std::nullopt, 801);
    compare_with_tiles({.cyclic = false}, std::nullopt, 901);
}

// No work depends on the order of its threads, and no example on its neighbours.
TEST_F(CudaEngine, ResultsDependOnTheExampleAlone) {
    for (const SemanticsInfo& semantics : all_semantics()) {
        SCOPED_TRACE(semantics.name);
        std::mt19937 random(7);
        const ReasoningGraph graph = random_graph({.heavy = 300}, random);
        const InputBatch inputs = random_inputs(graph, 70, random);
        const InputBatch seeds = random_seeds(graph, 70, random);
        ReasonOptions options;
        options.semantics = semantics.semantics;
        options.steps = 3;
        const Outcome all = run("cuda", graph, options, inputs, seeds);
        gpu.backwards = true;
        const Outcome again = run("cuda", graph, options, inputs, seeds);
        gpu.backwards = false;
        EXPECT_EQ(all.values, again.values);
        EXPECT_EQ(all.by_atom, again.by_atom);
        EXPECT_EQ(all.by_clause, again.by_clause);
        for (const std::size_t e : {std::size_t{0}, std::size_t{17}, std::size_t{69}}) {
            InputBatch::Builder one(1);
            InputBatch::Builder seed(1);
            for (std::size_t i = 0; i < inputs.atoms(e).size(); ++i)
                one.add(0, inputs.atoms(e)[i], inputs.values(e)[i]);
            for (std::size_t i = 0; i < seeds.atoms(e).size(); ++i) seed.add(0, seeds.atoms(e)[i], seeds.values(e)[i]);
            const Outcome alone = run("cuda", graph, options, one.build(), seed.build());
            for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
                ASSERT_EQ(alone.values[a], all.values[e * graph.atom_count() + a]);
                ASSERT_EQ(alone.by_atom[a], all.by_atom[e * graph.atom_count() + a]);
            }
            for (std::uint32_t k = 0; k < graph.clause_count(); ++k)
                ASSERT_EQ(alone.by_clause[k], all.by_clause[e * graph.clause_count() + k]);
        }
    }
}

TEST_F(CudaEngine, TheHistoryIsThatOfTheTileEngine) {
    for (const std::optional<std::uint32_t> steps : {std::optional<std::uint32_t>(3), std::optional<std::uint32_t>()}) {
        for (const bool negation : {false, true}) {
            std::mt19937 random(11);
            const ReasoningGraph graph = random_graph({.negation = negation}, random);
            const InputBatch inputs = random_inputs(graph, 20, random);
            ReasonOptions options;
            options.steps = steps;
            std::vector<std::uint32_t> atoms(graph.atom_count());
            for (std::uint32_t a = 0; a < atoms.size(); ++a) atoms[a] = a;
            const auto tile = make_reasoner("tile", graph, options);
            const auto cuda = make_reasoner("cuda", graph, options);
            const Pass expected = tile->forward(inputs, tile->own_weights(), {.keep = Keep::History});
            const Pass found = cuda->forward(inputs, cuda->own_weights(), {.keep = Keep::History});
            for (const std::size_t e : {std::size_t{0}, std::size_t{19}}) {
                ASSERT_EQ(found.steps(e), expected.steps(e));
                const auto rows = found.history<float>(e, atoms);
                const auto expected_rows = expected.history<float>(e, atoms);
                ASSERT_EQ(rows.size(), expected_rows.size());
                for (std::size_t r = 0; r < rows.size(); ++r) expect_near(rows[r], expected_rows[r], 1e-6, "history");
            }
        }
    }
}

TEST_F(CudaEngine, SaysHowManyExamplesWouldFit) {
    std::mt19937 random(5);
    const ReasoningGraph graph = random_graph({}, random);
    ReasonOptions options;
    options.steps = 3;
    const auto reasoner = make_reasoner("cuda", graph, options);
    gpu.memory = 200'000;
    try {
        reasoner->forward(InputBatch(4'096), reasoner->own_weights());
        ADD_FAILURE() << "nothing was refused";
    } catch (const ReasonError& error) {
        EXPECT_NE(std::string(error.what()).find("take batches of "), std::string::npos) << error.what();
        const std::string text = error.what();
        const std::size_t fits = std::stoul(text.substr(text.rfind("of ") + 3));
        EXPECT_EQ(reasoner->forward(InputBatch(fits), reasoner->own_weights()).examples(), fits);
    }
    gpu.memory = std::uint64_t{1} << 30;
}

TEST(CudaComponent, SaysWhatIsMissing) {
    std::mt19937 random(5);
    const ReasoningGraph graph = random_graph({}, random);
    try {
        make_reasoner("cuda", graph, {});
    } catch (const ReasonError& error) {  // else there is a GPU
        EXPECT_TRUE(std::string(error.what()).find("install CUDA") != std::string::npos ||
                    std::string(error.what()).find("no GPU") != std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace neumann
