#include "oracle/random_graph.h"

#include <algorithm>
#include <utility>

#include "graph/build.h"

namespace neumann::oracle {

GraphShape random_shape(Rng& rng) {
    GraphShape shape;
    shape.atoms = 2 + rng.below(20);
    shape.clauses = 1 + rng.below(6);
    shape.instances = 1 + rng.below(60);
    shape.longest_body = rng.below(6);
    shape.acyclic = rng.chance(0.5);
    return shape;
}

ReasoningGraph random_graph(Rng& rng, const GraphShape& shape) {
    GraphInput input;
    for (std::uint32_t k = 0; k < shape.clauses; ++k) {
        InstanceBlock block;
        block.clause = k;
        block.width = rng.below(shape.longest_body + 1);
        block.may_collapse = true;
        if (shape.acyclic && shape.negated > 0) {
            for (std::uint32_t j = 0; j < block.width; ++j) block.negated.push_back(rng.chance(shape.negated));
        }
        const std::uint32_t instances = rng.below(shape.instances / shape.clauses + 2);
        // Sometimes all for one head: more conjunctions than fit into a block.
        const std::uint32_t favourite = rng.chance(0.2) ? shape.atoms - 1 : 0;
        for (std::uint32_t i = 0; i < instances; ++i) {
            const std::uint32_t head = favourite != 0 ? favourite : rng.below(shape.atoms);
            if (shape.acyclic && head == 0 && block.width > 0) continue;
            block.rows.push_back(head);
            for (std::uint32_t j = 0; j < block.width; ++j)
                block.rows.push_back(rng.below(shape.acyclic ? head : shape.atoms));
        }
        input.blocks.push_back(std::move(block));
    }
    input.initial = PodVector<float>(shape.atoms, 0.0F);
    for (std::uint32_t a = 0; a < shape.atoms; ++a) {
        if (rng.chance(0.3)) input.initial[a] = static_cast<float>(rng.uniform());
    }
    for (std::uint32_t k = 0; k < shape.clauses; ++k)
        input.weight.push_back(rng.chance(0.3) ? 1.0 : static_cast<float>(rng.uniform()));
    return build_graph(std::move(input), 1);
}

std::vector<float> random_values(Rng& rng, std::size_t count) {
    std::vector<float> values(count);
    const bool crisp = rng.chance(0.2);
    for (float& value : values) {
        value = static_cast<float>(rng.uniform());
        if (crisp || rng.chance(0.3)) value = rng.chance(0.6) ? 0.0F : 1.0F;
        if (!crisp && rng.chance(0.1)) value *= 1e-3F;
    }
    return values;
}

}  // namespace neumann::oracle
