// Ground clause as a kernel sees it: its weight, the values of its body, and the targets of gradients in a backward
// pass. The files in reason/semantics define AND:
//     And::value(conjunction, rows), And::backward(conjunction, gradient, sink)
#pragma once

#include "reason/kernels/literal.h"

namespace neumann::kernels {

struct Conjunction {
    float weight;
    const std::uint32_t* body;  // literals
    std::uint32_t length;
};

// Static: compiled with the instructions of its own file, it must not be shared with another.
static constexpr Conjunction conjunction_at(const GraphView& graph, const float* weight, std::uint32_t c) {
    const std::uint32_t begin = graph.body_begin[c];
    return {weight[graph.clause[c]], graph.body + begin, graph.body_begin[c + 1] - begin};
}

// The body alone.
static constexpr Conjunction body_at(const GraphView& graph, std::uint32_t c) {
    const std::uint32_t begin = graph.body_begin[c];
    return {1.0F, graph.body + begin, graph.body_begin[c + 1] - begin};
}

template <class Not>
constexpr std::uint32_t count_zero(const Conjunction& c, const std::uint8_t* zero) {
    std::uint32_t count = 0;
    for (std::uint32_t j = 0; j < c.length; ++j) count += is_zero<Not>(c.body[j], zero);
    return count;
}

// 1 in lanes where one factor at most is 0, else 0.
template <class V, class Not>
constexpr Row<V> has_one_zero_at_most(const Conjunction& c, const float* rows) {
    Row<V> zeros = Row<V>::filled(c.weight == 0.0F ? 1.0F : 0.0F);
    for (std::uint32_t j = 0; j < c.length; ++j) {
        const Row<V> x = load_literal<V, Not>(rows, c.body[j]);
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) zeros[v] += select(x[v] == V(0.0F), V(1.0F), V(0.0F));
    }
    for (V& part : zeros.part) part = select(part > V(1.0F), V(0.0F), V(1.0F));
    return zeros;
}

// Where gradients of a conjunction go.
struct GradientSink {
    const float* rows;  // the values that were read
    float* outgoing;
    std::uint8_t* touched;
    float* weight_gradient;  // one row: that of the clause
    float* scratch;          // rows, one for each body atom and one more

    template <class V>
    constexpr void add(std::uint32_t atom, const Row<V>& gradient) const {
        gradient.add_to(outgoing + std::size_t{atom} * tile_width);
        touched[atom] = 1;
    }
    template <class Not, class V>
    constexpr void add_literal(std::uint32_t literal, Row<V> gradient) const {
        if constexpr (Not::negates) {
            if (is_negated(literal)) {
                const Row<V> x = Row<V>::load(rows, atom_of(literal));
                for (unsigned v = 0; v < vectors_per_row<V>; ++v) gradient[v] = Not::gradient(x[v], gradient[v]);
            }
        }
        add(atom_of(literal), gradient);
    }
};

}  // namespace neumann::kernels
