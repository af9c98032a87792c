// What AND means: the value of a ground clause from its weight and its body, and the way back. The weight takes part
// like one more body atom.
#pragma once

#include "reason/kernels/rows.h"

namespace neumann::kernels {

// Static, as whatever is compiled with the instructions of its own file.
static constexpr std::uint32_t atom_of(std::uint32_t literal) { return literal >> 1; }

// A ground clause as a kernel sees it.
struct Conjunction {
    float weight;
    const std::uint32_t* body;  // literals
    std::uint32_t length;
};

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
};

// θ·∏x. The derivative for one factor is the product of the others, taken from both ends: right at 0 as well.
template <class V>
struct ProductAnd {
    static constexpr Row<V> value(const Conjunction& c, const float* rows) {
        Row<V> y = Row<V>::filled(c.weight);
        for (std::uint32_t j = 0; j < c.length; ++j) y *= Row<V>::load(rows, atom_of(c.body[j]));
        return y;
    }
    static constexpr void backward(const Conjunction& c, const Row<V>& gradient, const GradientSink& sink) {
        Row<V> prefix = gradient;
        for (std::uint32_t j = 0; j < c.length; ++j) {
            prefix.store(sink.scratch + std::size_t{j} * tile_width);
            prefix *= Row<V>::load(sink.rows, atom_of(c.body[j]));
        }
        prefix.add_to(sink.weight_gradient);
        Row<V> suffix = Row<V>::filled(c.weight);
        for (std::uint32_t j = c.length; j-- > 0;) {
            sink.add(atom_of(c.body[j]), Row<V>::load(sink.scratch, j) * suffix);
            suffix *= Row<V>::load(sink.rows, atom_of(c.body[j]));
        }
    }
};

// min(θ, x…). Where several are smallest the first in the order of the body gets the gradient, but for the ends of
// [0,1], where there is only one side: at 1 each of them would pull the minimum down, at 0 none alone can lift it.
template <class V>
struct MinimumAnd {
    static constexpr Row<V> value(const Conjunction& c, const float* rows) {
        Row<V> y = Row<V>::filled(c.weight);
        for (std::uint32_t j = 0; j < c.length; ++j) {
            const Row<V> x = Row<V>::load(rows, atom_of(c.body[j]));
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) y[v] = min(y[v], x[v]);
        }
        return y;
    }
    static constexpr void backward(const Conjunction& c, const Row<V>& gradient, const GradientSink& sink) {
        const Row<V> y = value(c, sink.rows);
        Row<V> left = Row<V>::filled(1.0F);  // 0 once the gradient has been given away
        Row<V> at_zero = Row<V>::filled(c.weight == 0.0F ? 1.0F : 0.0F);
        for (std::uint32_t j = 0; j < c.length; ++j) {
            const Row<V> x = Row<V>::load(sink.rows, atom_of(c.body[j]));
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) at_zero[v] += select(x[v] == V(0.0F), V(1.0F), V(0.0F));
        }
        const auto share = [&](const Row<V>& x) {
            Row<V> given;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) {
                const auto smallest = x[v] == y[v];
                const V once = select(y[v] == V(1.0F), V(1.0F), select(at_zero[v] > V(1.0F), V(0.0F), left[v]));
                given[v] = select(smallest, once * gradient[v], V(0.0F));
                left[v] = select(smallest, V(0.0F), left[v]);
            }
            return given;
        };
        for (std::uint32_t j = 0; j < c.length; ++j)
            sink.add(atom_of(c.body[j]), share(Row<V>::load(sink.rows, atom_of(c.body[j]))));
        share(Row<V>::filled(c.weight)).add_to(sink.weight_gradient);
    }
};

// max(0, θ − Σ(1 − x)). At the kink only what can still rise gets the gradient.
template <class V>
struct BoundedAnd {
    static constexpr Row<V> margin(const Conjunction& c, const float* rows) {
        Row<V> y = Row<V>::filled(c.weight);
        for (std::uint32_t j = 0; j < c.length; ++j) {
            const Row<V> x = Row<V>::load(rows, atom_of(c.body[j]));
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) y[v] -= V(1.0F) - x[v];
        }
        return y;
    }
    static constexpr Row<V> value(const Conjunction& c, const float* rows) {
        Row<V> y = margin(c, rows);
        for (V& part : y.part) part = max(part, V(0.0F));
        return y;
    }
    static constexpr void backward(const Conjunction& c, const Row<V>& gradient, const GradientSink& sink) {
        const Row<V> above = margin(c, sink.rows);
        const auto share = [&](const Row<V>& x) {
            Row<V> given;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) {
                const auto open = (above[v] > V(0.0F)) || ((above[v] == V(0.0F)) && (x[v] < V(1.0F)));
                given[v] = select(open, gradient[v], V(0.0F));
            }
            return given;
        };
        for (std::uint32_t j = 0; j < c.length; ++j)
            sink.add(atom_of(c.body[j]), share(Row<V>::load(sink.rows, atom_of(c.body[j]))));
        share(Row<V>::filled(c.weight)).add_to(sink.weight_gradient);
    }
};

}  // namespace neumann::kernels
