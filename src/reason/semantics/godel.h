// The semantics godel: the minimum for AND, the maximum for OR.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reason/semantics/and_or.h"
#include "reason/semantics/descriptor.h"
#include "reason/semantics/max_product.h"

namespace neumann::kernels {

// min(θ, x…). Where several are smallest the first in the order of the body gets the gradient, but for the ends of
// [0,1], where there is only one side: at 1 each of them would pull the minimum down, at 0 none alone can lift it.
template <class V, class Not>
struct MinimumAnd {
    static constexpr Row<V> value(const Conjunction& c, const float* rows) {
        return value_of(c.weight, c.length, [&](std::uint32_t j) { return load_literal<V, Not>(rows, c.body[j]); });
    }
    // Of the rows that literal(j) gives.
    template <class Literal>
    static constexpr Row<V> value_of(float weight, std::uint32_t length, const Literal& literal) {
        Row<V> y = Row<V>::filled(weight);
        for (std::uint32_t j = 0; j < length; ++j) {
            const Row<V> x = literal(j);
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) y[v] = min(y[v], x[v]);
        }
        return y;
    }
    static constexpr void backward(const Conjunction& c, const Row<V>& gradient, const GradientSink& sink) {
        const Row<V> y = value(c, sink.rows);
        Row<V> left = Row<V>::filled(1.0F);  // 0 once the gradient has been given away
        Row<V> at_zero = Row<V>::filled(c.weight == 0.0F ? 1.0F : 0.0F);
        for (std::uint32_t j = 0; j < c.length; ++j) {
            const Row<V> x = load_literal<V, Not>(sink.rows, c.body[j]);
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
            sink.template add_literal<Not>(c.body[j], share(load_literal<V, Not>(sink.rows, c.body[j])));
        share(Row<V>::filled(c.weight)).add_to(sink.weight_gradient);
    }
    // The gradient of one literal or, at the end of the body, of the weight.
    static constexpr Row<V> share(const Conjunction& c, const float* rows, std::uint32_t place,
                                  const Row<V>& gradient) {
        const Row<V> y = value(c, rows);
        const Row<V> asked = place < c.length ? load_literal<V, Not>(rows, c.body[place]) : Row<V>::filled(c.weight);
        const Row<V> can_rise = has_one_zero_at_most<V, Not>(c, rows);
        Row<V> left = Row<V>::filled(1.0F);
        for (std::uint32_t j = 0; j < place; ++j) {
            const Row<V> x = load_literal<V, Not>(rows, c.body[j]);
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) left[v] = select(x[v] == y[v], V(0.0F), left[v]);
        }
        Row<V> given;
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) {
            const V once = select(y[v] == V(1.0F), V(1.0F), can_rise[v] * left[v]);
            given[v] = select(asked[v] == y[v], once * gradient[v], V(0.0F));
        }
        return given;
    }
};

}  // namespace neumann::kernels

namespace neumann::formulas {

struct MinimumAnd {
    static double value(double weight, std::span<const double> body) {
        double smallest = weight;
        for (const double x : body) smallest = std::min(smallest, x);
        return smallest;
    }
    // The first of the smallest; at 1 each of them, at 0 only the one that stands alone.
    static void gradient(double weight, std::span<const double> body, double gradient, double& weight_gradient,
                         std::span<double> body_gradient) {
        const double smallest = value(weight, body);
        const auto equal = static_cast<std::size_t>(std::ranges::count(body, smallest)) + (weight == smallest ? 1 : 0);
        if (smallest == 0 && equal > 1) return;
        bool given = false;
        for (std::size_t j = 0; j < body.size(); ++j) {
            if (body[j] != smallest || (given && smallest != 1)) continue;
            body_gradient[j] += gradient;
            given = true;
        }
        if (weight == smallest && (!given || smallest == 1)) weight_gradient += gradient;
    }
};

}  // namespace neumann::formulas

namespace neumann {

struct Godel {
    static constexpr SemanticsLaws laws = {.name = "godel",
                                           .summary = "minimum and maximum",
                                           .both = tnorm::minimum,
                                           .idempotent_or = true,
                                           .instances_compete = true};
    using Not = Complement;
    template <class V, class Not>
    using Step = kernels::AndOrStep<V, Not, kernels::MinimumAnd<V, Not>, kernels::MaximumOr<V>>;
    using Formulas = formulas::AndOr<formulas::MinimumAnd, formulas::MaximumOr>;
};
template <>
struct RegisteredSemantics<4> : Godel {};

}  // namespace neumann
