// The semantics lukasiewicz: the bounded difference for AND, the bounded sum for OR.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reason/semantics/and_or.h"
#include "reason/semantics/bounded_sum.h"
#include "reason/semantics/descriptor.h"

namespace neumann::kernels {

// max(0, θ − Σ(1 − x)). At the kink only inputs that can still rise have a gradient.
template <class V, class Not>
struct BoundedAnd {
    static constexpr Row<V> margin(const Conjunction& c, const float* rows) {
        return margin_of(c.weight, c.length, [&](std::uint32_t j) { return load_literal<V, Not>(rows, c.body[j]); });
    }
    static constexpr Row<V> value(const Conjunction& c, const float* rows) {
        return value_of(c.weight, c.length, [&](std::uint32_t j) { return load_literal<V, Not>(rows, c.body[j]); });
    }
    // Of the rows that literal(j) gives.
    template <class Literal>
    static constexpr Row<V> value_of(float weight, std::uint32_t length, const Literal& literal) {
        Row<V> y = margin_of(weight, length, literal);
        for (V& part : y.part) part = max(part, V(0.0F));
        return y;
    }
    static constexpr void backward(const Conjunction& c, const Row<V>& gradient, const GradientSink& sink) {
        const Row<V> above = margin(c, sink.rows);
        for (std::uint32_t j = 0; j < c.length; ++j) {
            const Row<V> x = load_literal<V, Not>(sink.rows, c.body[j]);
            sink.template add_literal<Not>(c.body[j], given_to(x, above, gradient));
        }
        given_to(Row<V>::filled(c.weight), above, gradient).add_to(sink.weight_gradient);
    }
    // The gradient of one literal or, at the end of the body, of the weight.
    static constexpr Row<V> share(const Conjunction& c, const float* rows, std::uint32_t place,
                                  const Row<V>& gradient) {
        const Row<V> above = margin(c, rows);
        const Row<V> asked = place < c.length ? load_literal<V, Not>(rows, c.body[place]) : Row<V>::filled(c.weight);
        return given_to(asked, above, gradient);
    }

private:
    template <class Literal>
    static constexpr Row<V> margin_of(float weight, std::uint32_t length, const Literal& literal) {
        Row<V> y = Row<V>::filled(weight);
        for (std::uint32_t j = 0; j < length; ++j) {
            const Row<V> x = literal(j);
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) y[v] -= V(1.0F) - x[v];
        }
        return y;
    }
    static constexpr Row<V> given_to(const Row<V>& x, const Row<V>& above, const Row<V>& gradient) {
        Row<V> given;
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) {
            const auto open = (above[v] > V(0.0F)) || ((above[v] == V(0.0F)) && (x[v] < V(1.0F)));
            given[v] = select(open, gradient[v], V(0.0F));
        }
        return given;
    }
};

// min(1, Σy). If the sum is exactly 1 it can only fall, and only by terms that are not 0.
template <class V>
class BoundedOr : public BoundedSum<V> {
public:
    using BoundedSum<V>::BoundedSum;

    class Backward {
    public:
        constexpr Backward(float, V initial, V after) : initial_(initial), after_(after), sum_(initial) {}
        constexpr bool needs_totals() const { return any(after_ >= V(1.0F)); }
        constexpr bool asks_what_can_rise() const { return false; }
        constexpr void totals(const float* column, unsigned count) { sum_.add(column, count); }
        constexpr void totals_done() {}
        constexpr V weight(V y, V) const {
            const auto open = (after_ < V(1.0F)) || ((sum_.unclamped() == V(1.0F)) && (y > V(0.0F)));
            return select(open, V(1.0F), V(0.0F));
        }
        constexpr V initial_weight() const { return weight(initial_, V(1.0F)); }

    private:
        V initial_;
        V after_;
        BoundedSum<V> sum_;
    };
};

}  // namespace neumann::kernels

namespace neumann::formulas {

struct BoundedAnd {
    static double value(double weight, std::span<const double> body) { return std::max(0.0, margin(weight, body)); }
    static void gradient(double weight, std::span<const double> body, double gradient, double& weight_gradient,
                         std::span<double> body_gradient) {
        const double above = margin(weight, body);
        const auto open = [&](double x) { return above > 0 || (above == 0 && x < 1); };
        for (std::size_t j = 0; j < body.size(); ++j) body_gradient[j] += open(body[j]) ? gradient : 0;
        weight_gradient += open(weight) ? gradient : 0;
    }

private:
    static double margin(double weight, std::span<const double> body) {
        double margin = weight;
        for (const double x : body) margin -= 1 - x;
        return margin;
    }
};

struct BoundedOr {
    static double value(double /*gamma*/, double initial, std::span<const double> values, Clamp& /*clamp*/) {
        return std::min(1.0, sum_with(initial, values));
    }
    // If the sum is exactly 1 it can only fall, and only by terms that are not 0.
    static void gradient(double /*gamma*/, double initial, std::span<const double> values,
                         const std::vector<bool>& /*can_rise*/, double gradient, double& initial_gradient,
                         std::span<double> value_gradient) {
        const double total = sum_with(initial, values);
        const auto open = [&](double y) { return total < 1 || (total == 1 && y > 0) ? gradient : 0; };
        for (std::size_t i = 0; i < values.size(); ++i) value_gradient[i] = open(values[i]);
        initial_gradient = open(initial);
    }
};

}  // namespace neumann::formulas

namespace neumann {

struct Lukasiewicz {
    static constexpr SemanticsLaws laws = {
        .name = "lukasiewicz", .summary = "bounded difference and bounded sum", .both = tnorm::bounded};
    using Not = Complement;
    template <class V, class Not>
    using Step = kernels::AndOrStep<V, Not, kernels::BoundedAnd<V, Not>, kernels::BoundedOr<V>>;
    using Formulas = formulas::AndOr<formulas::BoundedAnd, formulas::BoundedOr>;
};
template <>
struct RegisteredSemantics<5> : Lukasiewicz {};

}  // namespace neumann
