#include "gpu_graphs.h"

#include <algorithm>
#include <utility>

#include "graph/build.h"

namespace neumann {

ReasoningGraph graph_of_size(std::uint32_t conjunctions) {
    constexpr std::uint32_t clauses = 8;
    Rng rng(conjunctions);
    const std::uint32_t atoms = std::max(16U, conjunctions / 3);
    const std::uint32_t derived = atoms / 2;
    GraphInput input;
    for (std::uint32_t k = 0; k < clauses; ++k) {
        InstanceBlock block;
        block.clause = k;
        block.width = 2;
        block.may_collapse = true;
        for (std::uint32_t i = k; i < conjunctions; i += clauses) {
            block.rows.push_back(atoms - 1 - rng.below(derived));
            block.rows.push_back(rng.below(atoms));
            block.rows.push_back(rng.below(atoms));
        }
        input.blocks.push_back(std::move(block));
    }
    input.initial = PodVector<float>(atoms, 0.0F);
    input.weight = PodVector<double>(clauses, 0.4);
    return build_graph(std::move(input), 1);
}

ReasoningGraph small_random_graph(Rng& rng, bool negation, std::uint32_t heavy) {
    constexpr std::uint32_t derived = 20;
    constexpr std::uint32_t light = 90;
    constexpr std::uint32_t clauses = 6;
    GraphInput input;
    for (std::uint32_t i = 0; i < light + heavy; ++i) {
        InstanceBlock block;
        block.clause = rng.below(clauses);
        block.may_collapse = true;
        block.width = block.clause;
        block.rows.push_back(small_graph_inputs + (i < light ? rng.below(derived) : 3));
        for (std::uint32_t j = 0; j < block.width; ++j) {
            block.negated.push_back(negation && rng.below(3) == 0);
            block.rows.push_back(rng.below(block.negated.back() ? small_graph_inputs : small_graph_inputs + derived));
        }
        input.blocks.push_back(std::move(block));
    }
    std::ranges::stable_sort(input.blocks, {}, &InstanceBlock::clause);
    input.initial = PodVector<float>(small_graph_inputs + derived, 0.0F);
    input.weight = PodVector<double>(clauses, 0.4);
    return build_graph(std::move(input), 1);
}

}  // namespace neumann
