// Reasoning graphs written down by hand.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "graph/build.h"

namespace neumann {

inline constexpr std::uint32_t negated_atom = 1000;  // added to an atom of a body: its negation

// Conjunctions as {head, body …}, all of one clause of weight 1.
inline ReasoningGraph graph_of(std::uint32_t atoms, std::initializer_list<std::vector<std::uint32_t>> conjunctions) {
    GraphInput input;
    for (const std::vector<std::uint32_t>& row : conjunctions) {
        InstanceBlock block;
        block.width = static_cast<std::uint32_t>(row.size() - 1);
        block.rows.push_back(row[0]);
        for (std::size_t i = 1; i < row.size(); ++i) {
            block.negated.push_back(row[i] >= negated_atom);
            block.rows.push_back(row[i] % negated_atom);
        }
        input.blocks.push_back(std::move(block));
    }
    input.initial = PodVector<float>(atoms, 0.0F);
    input.weight = PodVector<double>(1, 1.0);
    return build_graph(std::move(input), 1);
}

}  // namespace neumann
