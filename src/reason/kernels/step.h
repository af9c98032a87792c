// One step of message passing for a list of atoms, for any AND and OR under which 0 stays 0. Conjunction values live in
// a block in the first-level cache; they are never stored for the graph.
#pragma once

#include "reason/kernels/conjunction.h"
#include "reason/kernels/disjunction.h"

namespace neumann::kernels {

// Static: compiled with the instructions of its own file, it must not be shared with another.
static constexpr Conjunction conjunction_at(const GraphView& graph, const float* weight, std::uint32_t c) {
    const std::uint32_t begin = graph.body_begin[c];
    return {weight[graph.clause[c]], graph.body + begin, graph.body_begin[c + 1] - begin};
}

static constexpr std::uint32_t count_zero(const Conjunction& c, const std::uint8_t* zero) {
    std::uint32_t count = 0;
    for (std::uint32_t j = 0; j < c.length; ++j) count += zero[atom_of(c.body[j])];
    return count;
}

// 1 in lanes where one factor at most is 0, else 0.
template <class V>
constexpr Row<V> has_one_zero_at_most(const Conjunction& c, const float* rows) {
    Row<V> zeros = Row<V>::filled(c.weight == 0.0F ? 1.0F : 0.0F);
    for (std::uint32_t j = 0; j < c.length; ++j) {
        const Row<V> x = Row<V>::load(rows, atom_of(c.body[j]));
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) zeros[v] += select(x[v] == V(0.0F), V(1.0F), V(0.0F));
    }
    for (V& part : zeros.part) part = select(part > V(1.0F), V(0.0F), V(1.0F));
    return zeros;
}

template <class V, template <class> class And, template <class> class Or>
constexpr void forward_step(const ForwardStep& step) {
    alignas(64) float block[block_size * tile_width];
    for (std::size_t i = 0; i < step.count; ++i) {
        const std::uint32_t atom = step.atoms[i];
        const std::uint32_t end = step.graph.in_begin[atom + 1];
        const Row<V> initial = Row<V>::load(step.initial, atom);
        PerVector<V, Or<V>> disjunction(step.gamma, initial);
        for (std::uint32_t first = step.graph.in_begin[atom]; first < end; first += block_size) {
            unsigned count = 0;
            for (std::uint32_t c = first; c < end && c < first + block_size; ++c) {
                const Conjunction conjunction = conjunction_at(step.graph, step.weight, c);
                if (count_zero(conjunction, step.zero) > 0) continue;
                And<V>::value(conjunction, step.now).store(block + count++ * tile_width);
            }
            if (count == 0) continue;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) disjunction[v].add(block + v * V::size, count);
        }
        Row<V> result;
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) result[v] = disjunction[v].result();
        result.store(step.staged + i * tile_width);
        step.status[i] =
            static_cast<std::uint8_t>((result.differs_from(Row<V>::load(step.now, atom)) ? row_changed : 0) |
                                      (result.any_nonzero() ? row_nonzero : 0));
    }
}

template <class V, template <class> class And, template <class> class Or>
constexpr void backward_step(const BackwardStep& step) {
    using Backward = typename Or<V>::Backward;
    alignas(64) float block[block_size * tile_width];
    GradientSink sink{step.before, step.outgoing, step.touched, nullptr, step.scratch};
    for (std::size_t i = 0; i < step.count; ++i) {
        const std::uint32_t atom = step.atoms[i];
        const std::uint32_t begin = step.graph.in_begin[atom];
        const std::uint32_t end = step.graph.in_begin[atom + 1];
        const Row<V> incoming = Row<V>::load(step.incoming + i * tile_width);
        const Row<V> initial = Row<V>::load(step.initial, atom);
        const Row<V> after = Row<V>::load(step.after, atom);
        PerVector<V, Backward> disjunction(step.gamma, initial, after);
        bool needs_totals = false;
        bool asks_what_can_rise = false;
        for (const Backward& d : disjunction.part) {
            needs_totals = needs_totals || d.needs_totals();
            asks_what_can_rise = asks_what_can_rise || d.asks_what_can_rise();
        }
        if (needs_totals) {
            for (std::uint32_t first = begin; first < end; first += block_size) {
                unsigned count = 0;
                for (std::uint32_t c = first; c < end && c < first + block_size; ++c) {
                    const Conjunction conjunction = conjunction_at(step.graph, step.weight, c);
                    if (count_zero(conjunction, step.zero) > 0) continue;
                    And<V>::value(conjunction, step.before).store(block + count++ * tile_width);
                }
                if (count == 0) continue;
                for (unsigned v = 0; v < vectors_per_row<V>; ++v) disjunction[v].totals(block + v * V::size, count);
            }
            for (Backward& d : disjunction.part) d.totals_done();
        }
        for (std::uint32_t c = begin; c < end; ++c) {
            const Conjunction conjunction = conjunction_at(step.graph, step.weight, c);
            // Two factors that are 0: no single one of them changes anything.
            if (count_zero(conjunction, step.zero) > 1) continue;
            const Row<V> y = And<V>::value(conjunction, step.before);
            const Row<V> can_rise =
                asks_what_can_rise ? has_one_zero_at_most<V>(conjunction, step.before) : Row<V>::filled(1.0F);
            Row<V> gradient;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v)
                gradient[v] = incoming[v] * disjunction[v].weight(y[v], can_rise[v]);
            if (!gradient.any_nonzero()) continue;
            sink.weight_gradient = step.weight_gradient + std::size_t{step.graph.clause[c]} * tile_width;
            And<V>::backward(conjunction, gradient, sink);
        }
        Row<V> to_initial;
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) to_initial[v] = incoming[v] * disjunction[v].initial_weight();
        to_initial.add_to(step.initial_gradient + std::size_t{atom} * tile_width);
    }
}

}  // namespace neumann::kernels
