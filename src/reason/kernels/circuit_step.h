// Step of circuits of decisions, forwards and backwards: the value of a node is the mean of its branches' values by the
// probabilities of the ways that lead there.
#pragma once

#include "reason/kernels/rows.h"

namespace neumann::kernels {

template <class V>
constexpr void forward_circuit(const CircuitForward& step) {
    const CircuitView& circuit = step.circuit;
    for (std::size_t node = 2; node < circuit.nodes; ++node) {
        const float* way = step.ways + std::size_t{circuit.first_way[node]} * tile_width;
        const std::uint32_t end = circuit.branch_begin[node + 1];
        Row<V> sum = Row<V>::filled(0.0F);
        for (std::uint32_t b = circuit.branch_begin[node]; b < end; ++b, way += tile_width) {
            const Row<V> value = Row<V>::load(step.values, circuit.branches[b]);
            const Row<V> probability = Row<V>::load(way);
            for (unsigned v = 0; v < vectors_per_row<V>; ++v)
                sum[v] = LaneTraits<V>::multiply_add(probability[v], value[v], sum[v]);
        }
        sum.store(step.values + node * tile_width);
    }
}

// The gradient of a node goes to its branches and to the ways that lead there.
template <class V>
constexpr void backward_branch(const CircuitBackward& step, const Row<V>& gradient, std::uint32_t branch,
                               const Row<V>& probability, Row<V>& by_way) {
    if (branch == 0) return;
    const Row<V> value = Row<V>::load(step.values, branch);
    for (unsigned v = 0; v < vectors_per_row<V>; ++v)
        by_way[v] = LaneTraits<V>::multiply_add(gradient[v], value[v], by_way[v]);
    if (branch > 1) (gradient * probability).add_to(step.gradients + std::size_t{branch} * tile_width);
}

template <class V>
constexpr void backward_node(const CircuitBackward& step, std::size_t node) {
    const Row<V> gradient = Row<V>::load(step.gradients + node * tile_width);
    if (!gradient.any_nonzero()) return;
    std::size_t way = std::size_t{step.circuit.first_way[node]} * tile_width;
    const std::uint32_t end = step.circuit.branch_begin[node + 1];
    for (std::uint32_t b = step.circuit.branch_begin[node]; b < end; ++b, way += tile_width) {
        Row<V> by_way = Row<V>::load(step.way_gradients + way);
        backward_branch(step, gradient, step.circuit.branches[b], Row<V>::load(step.ways + way), by_way);
        by_way.store(step.way_gradients + way);
    }
}

// Nodes of two branches that share a distribution: the sums for its ways stay in registers. Through memory
// each addition would wait for the one before.
template <class V>
constexpr void backward_pairs(const CircuitBackward& step, std::size_t begin, std::size_t end) {
    const std::size_t way = std::size_t{step.circuit.first_way[begin]} * tile_width;
    const Row<V> if_not = Row<V>::load(step.ways + way);
    const Row<V> if_so = Row<V>::load(step.ways + way + tile_width);
    Row<V> by_not = Row<V>::load(step.way_gradients + way);
    Row<V> by_so = Row<V>::load(step.way_gradients + way + tile_width);
    for (std::size_t node = end; node-- > begin;) {
        const Row<V> gradient = Row<V>::load(step.gradients + node * tile_width);
        if (!gradient.any_nonzero()) continue;
        const std::uint32_t* branches = step.circuit.branches + step.circuit.branch_begin[node];
        backward_branch(step, gradient, branches[0], if_not, by_not);
        backward_branch(step, gradient, branches[1], if_so, by_so);
    }
    by_not.store(step.way_gradients + way);
    by_so.store(step.way_gradients + way + tile_width);
}

template <class V>
constexpr void backward_circuit(const CircuitBackward& step) {
    const CircuitView& circuit = step.circuit;
    for (std::size_t end = circuit.nodes; end > 2;) {
        std::size_t begin = end - 1;
        if (circuit.branch_begin[end] - circuit.branch_begin[begin] != 2) {
            backward_node<V>(step, begin);
        } else {
            while (begin > 2 && circuit.first_way[begin - 1] == circuit.first_way[begin]) --begin;
            backward_pairs<V>(step, begin, end);
        }
        end = begin;
    }
}

}  // namespace neumann::kernels
