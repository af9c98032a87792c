// Step of message passing for a list of atoms, for any AND and OR under which 0 stays 0. Conjunction values live in
// a block in the first-level cache; they are never stored for the graph.
//
// An OR makes an atom's new value of its initial value and the values of its conjunctions, and the way back. It holds
// the state of one vector of lanes while the conjunctions stream by in blocks; `column` is the first of `count` values,
// a row apart.
//     Forward:  Or(gamma, initial), add(column, count)…, result().
//     Backward: Or::Backward(gamma, initial, after); if needs_totals(): totals(column, count)… over all blocks first;
//               then weight(y, can_rise) once for each conjunction in order, then initial_weight(): the derivatives of
//               the result. can_rise is 0 where a conjunction is 0 for more than one reason; only asks_what_can_rise()
// reads it.
#pragma once

#include "reason/kernels/conjunction.h"

namespace neumann::kernels {

// The new row of atom i of the step.
template <class V>
constexpr void write_result(const ForwardStep& step, std::size_t i, const Row<V>& result) {
    result.store(step.staged + i * tile_width);
    const bool changed = result.differs_from(Row<V>::load(step.now, step.atoms[i]));
    step.status[i] = static_cast<std::uint8_t>((changed ? row_changed : 0) | (result.any_nonzero() ? row_nonzero : 0));
}

template <class V>
constexpr Row<V> clamped(Row<V> row) {
    for (V& part : row.part) part = min(part, V(1.0F));
    return row;
}

template <class V, class Not, class And, class Or>
struct AndOrStep {
    static constexpr void forward(const ForwardStep& step) {
        alignas(64) float block[block_size * tile_width];
        for (std::size_t i = 0; i < step.count; ++i) {
            const std::uint32_t atom = step.atoms[i];
            const std::uint32_t end = step.graph.in_begin[atom + 1];
            const Row<V> initial = Row<V>::load(step.initial, atom);
            PerVector<V, Or> disjunction(step.gamma, initial);
            for (std::uint32_t first = step.graph.in_begin[atom]; first < end; first += block_size) {
                unsigned count = 0;
                for (std::uint32_t c = first; c < end && c < first + block_size; ++c) {
                    const Conjunction conjunction = conjunction_at(step.graph, step.weight, c);
                    if (count_zero<Not>(conjunction, step.zero) > 0) continue;
                    And::value(conjunction, step.now).store(block + count++ * tile_width);
                }
                if (count == 0) continue;
                for (unsigned v = 0; v < vectors_per_row<V>; ++v) disjunction[v].add(block + v * V::size, count);
            }
            Row<V> result;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) result[v] = disjunction[v].result();
            write_result(step, i, result);
        }
    }

    static constexpr void backward(const BackwardStep& step) {
        using Backward = typename Or::Backward;
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
                        if (count_zero<Not>(conjunction, step.zero) > 0) continue;
                        And::value(conjunction, step.before).store(block + count++ * tile_width);
                    }
                    if (count == 0) continue;
                    for (unsigned v = 0; v < vectors_per_row<V>; ++v) disjunction[v].totals(block + v * V::size, count);
                }
                for (Backward& d : disjunction.part) d.totals_done();
            }
            for (std::uint32_t c = begin; c < end; ++c) {
                const Conjunction conjunction = conjunction_at(step.graph, step.weight, c);
                // Two factors that are 0: no single one of them changes anything.
                if (count_zero<Not>(conjunction, step.zero) > 1) continue;
                const Row<V> y = And::value(conjunction, step.before);
                const Row<V> can_rise =
                    asks_what_can_rise ? has_one_zero_at_most<V, Not>(conjunction, step.before) : Row<V>::filled(1.0F);
                Row<V> gradient;
                for (unsigned v = 0; v < vectors_per_row<V>; ++v)
                    gradient[v] = incoming[v] * disjunction[v].weight(y[v], can_rise[v]);
                if (!gradient.any_nonzero()) continue;
                sink.weight_gradient = step.weight_gradient + std::size_t{step.graph.clause[c]} * tile_width;
                And::backward(conjunction, gradient, sink);
            }
            Row<V> to_initial;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v)
                to_initial[v] = incoming[v] * disjunction[v].initial_weight();
            to_initial.add_to(step.initial_gradient + std::size_t{atom} * tile_width);
        }
    }
};

}  // namespace neumann::kernels
