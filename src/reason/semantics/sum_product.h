// The semantics sum-product: the product for AND, the sum for OR, clipped at 1. Exact probabilities if the literals of
// each body are independent and the conjunctions of each head exclude each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "reason/semantics/and_or.h"
#include "reason/semantics/bounded_sum.h"
#include "reason/semantics/descriptor.h"
#include "reason/semantics/product_and.h"

namespace neumann::kernels {

// The excess over 1 is a constant for the gradient: alternatives that exclude each other add up to 1 but for
// rounding, which must not decide whether there is a gradient.
template <class V>
class SumOr : public BoundedSum<V> {
public:
    using BoundedSum<V>::BoundedSum;

    class Backward {
    public:
        constexpr Backward(float, V, V) {}
        constexpr bool needs_totals() const { return false; }
        constexpr bool asks_what_can_rise() const { return false; }
        constexpr void totals(const float*, unsigned) {}
        constexpr void totals_done() {}
        constexpr V weight(V, V) const { return V(1.0F); }
        constexpr V initial_weight() const { return V(1.0F); }
    };
};

}  // namespace neumann::kernels

namespace neumann::formulas {

struct SumOr {
    static double value(double /*gamma*/, double initial, std::span<const double> values, Clamp& clamp) {
        return clamp(sum_with(initial, values));
    }
    static void gradient(double /*gamma*/, double /*initial*/, std::span<const double> /*values*/,
                         const std::vector<bool>& /*can_rise*/, double gradient, double& initial_gradient,
                         std::span<double> value_gradient) {
        initial_gradient = gradient;
        std::ranges::fill(value_gradient, gradient);
    }
};

}  // namespace neumann::formulas

namespace neumann {

struct SumProduct {
    static constexpr SemanticsLaws laws = {.name = "sum-product",
                                           .summary =
                                               "product and sum, clipped at 1: exact where proofs exclude each other",
                                           .both = tnorm::product,
                                           .smooth = true};
    using Not = Complement;
    template <class V, class Not>
    using Step = kernels::AndOrStep<V, Not, kernels::ProductAnd<V, Not>, kernels::SumOr<V>>;
    using Formulas = formulas::AndOr<formulas::ProductAnd, formulas::SumOr>;
};
template <>
struct RegisteredSemantics<7> : SumProduct {};

}  // namespace neumann
