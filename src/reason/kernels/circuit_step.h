// Step of circuits, forwards and backwards: the value of a node is the sum of its terms, products of two rows.
#pragma once

#include "reason/kernels/rows.h"

namespace neumann::kernels {

template <class V>
constexpr void forward_circuit(const CircuitForward& step) {
    const CircuitView& circuit = step.circuit;
    for (std::size_t node = circuit.first_sum; node < circuit.nodes; ++node) {
        Row<V> sum = Row<V>::filled(0.0F);
        const std::uint32_t end = circuit.term_begin[node + 1];
        for (std::uint32_t t = circuit.term_begin[node]; t < end; ++t) {
            const Row<V> left = Row<V>::load(step.values, circuit.left[t]);
            const Row<V> right = Row<V>::load(step.values, circuit.right[t]);
            for (unsigned v = 0; v < vectors_per_row<V>; ++v)
                sum[v] = LaneTraits<V>::multiply_add(left[v], right[v], sum[v]);
        }
        sum.store(step.values + node * tile_width);
    }
}

// Adds the gradient of a product by its right factor to that factor's, and that by its left factor to `by_left`.
template <class V>
constexpr void backward_term(const CircuitBackward& step, const Row<V>& gradient, std::uint32_t right,
                             const Row<V>& left_value, Row<V>& by_left) {
    if (right == 0) return;
    const Row<V> value = Row<V>::load(step.values, right);
    for (unsigned v = 0; v < vectors_per_row<V>; ++v)
        by_left[v] = LaneTraits<V>::multiply_add(gradient[v], value[v], by_left[v]);
    if (right > 1) (gradient * left_value).add_to(step.gradients + std::size_t{right} * tile_width);
}

template <class V>
constexpr void backward_node(const CircuitBackward& step, std::size_t node) {
    const Row<V> gradient = Row<V>::load(step.gradients + node * tile_width);
    if (!gradient.any_nonzero()) return;
    const std::uint32_t end = step.circuit.term_begin[node + 1];
    for (std::uint32_t t = step.circuit.term_begin[node]; t < end; ++t) {
        const std::size_t left = std::size_t{step.circuit.left[t]} * tile_width;
        Row<V> by_left = Row<V>::filled(0.0F);
        backward_term(step, gradient, step.circuit.right[t], Row<V>::load(step.values + left), by_left);
        by_left.add_to(step.gradients + left);
    }
}

// Neighbours of two terms with the same left factors, decisions by one distribution: the sums for these stay in
// registers. Through memory each addition would wait for the one before.
template <class V>
constexpr void backward_pairs(const CircuitBackward& step, std::size_t begin, std::size_t end) {
    const std::uint32_t* const left = step.circuit.left + step.circuit.term_begin[begin];
    const std::size_t not_at = std::size_t{left[0]} * tile_width;
    const std::size_t so_at = std::size_t{left[1]} * tile_width;
    const Row<V> if_not = Row<V>::load(step.values + not_at);
    const Row<V> if_so = Row<V>::load(step.values + so_at);
    Row<V> by_not = Row<V>::filled(0.0F);
    Row<V> by_so = Row<V>::filled(0.0F);
    for (std::size_t node = end; node-- > begin;) {
        const Row<V> gradient = Row<V>::load(step.gradients + node * tile_width);
        if (!gradient.any_nonzero()) continue;
        const std::uint32_t* right = step.circuit.right + step.circuit.term_begin[node];
        backward_term(step, gradient, right[0], if_not, by_not);
        backward_term(step, gradient, right[1], if_so, by_so);
    }
    by_not.add_to(step.gradients + not_at);
    by_so.add_to(step.gradients + so_at);
}

template <class V>
constexpr void backward_circuit(const CircuitBackward& step) {
    const CircuitView& circuit = step.circuit;
    const auto terms = [&](std::size_t node) { return circuit.term_begin[node + 1] - circuit.term_begin[node]; };
    for (std::size_t end = circuit.nodes; end > circuit.first_sum;) {
        std::size_t begin = end - 1;
        const std::uint32_t* const left = circuit.left + circuit.term_begin[begin];
        // Ways are no sums: what is added to them is not needed before the end.
        const bool decides = terms(begin) == 2 && left[0] < circuit.first_sum && left[1] < circuit.first_sum;
        if (!decides) {
            backward_node<V>(step, begin);
        } else {
            const auto same = [&](std::size_t node) {
                const std::uint32_t* const other = circuit.left + circuit.term_begin[node];
                return terms(node) == 2 && other[0] == left[0] && other[1] == left[1];
            };
            while (begin > circuit.first_sum && same(begin - 1)) --begin;
            backward_pairs<V>(step, begin, end);
        }
        end = begin;
    }
}

}  // namespace neumann::kernels
