// Product AND, θ·∏x, of most semantics. The derivative for one factor is the product of the others, from both ends, and
// so is right at 0 as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reason/kernels/conjunction.h"

namespace neumann::kernels {

template <class V, class Not>
struct ProductAnd {
    static constexpr Row<V> value(const Conjunction& c, const float* rows) {
        return value_of(c.weight, c.length, [&](std::uint32_t j) { return load_literal<V, Not>(rows, c.body[j]); });
    }
    // Of the rows that literal(j) gives.
    template <class Literal>
    static constexpr Row<V> value_of(float weight, std::uint32_t length, const Literal& literal) {
        Row<V> y = Row<V>::filled(weight);
        for (std::uint32_t j = 0; j < length; ++j) y *= literal(j);
        return y;
    }
    static constexpr void backward(const Conjunction& c, const Row<V>& gradient, const GradientSink& sink) {
        Row<V> prefix = gradient;
        for (std::uint32_t j = 0; j < c.length; ++j) {
            prefix.store(sink.scratch + std::size_t{j} * tile_width);
            prefix *= load_literal<V, Not>(sink.rows, c.body[j]);
        }
        prefix.add_to(sink.weight_gradient);
        Row<V> suffix = Row<V>::filled(c.weight);
        for (std::uint32_t j = c.length; j-- > 0;) {
            sink.template add_literal<Not>(c.body[j], Row<V>::load(sink.scratch, j) * suffix);
            suffix *= load_literal<V, Not>(sink.rows, c.body[j]);
        }
    }
    // The gradient of one literal or, at the end of the body, of the weight.
    static constexpr Row<V> share(const Conjunction& c, const float* rows, std::uint32_t place,
                                  const Row<V>& gradient) {
        Row<V> result = gradient;
        for (std::uint32_t j = 0; j < c.length; ++j) {
            if (j != place) result *= load_literal<V, Not>(rows, c.body[j]);
        }
        if (place < c.length) result *= Row<V>::filled(c.weight);
        return result;
    }
};

}  // namespace neumann::kernels

namespace neumann::formulas {

struct ProductAnd {
    static double value(double weight, std::span<const double> body) { return weight * product(body, body.size()); }
    static void gradient(double weight, std::span<const double> body, double gradient, double& weight_gradient,
                         std::span<double> body_gradient) {
        for (std::size_t j = 0; j < body.size(); ++j) body_gradient[j] += gradient * weight * product(body, j);
        weight_gradient += gradient * product(body, body.size());
    }

private:
    static double product(std::span<const double> values, std::size_t without) {
        double result = 1;
        for (std::size_t i = 0; i < values.size(); ++i) result *= i == without ? 1.0 : values[i];
        return result;
    }
};

}  // namespace neumann::formulas
