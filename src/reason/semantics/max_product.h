// The semantics max-product: the product for AND, the maximum for OR. The value of the best proof.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "reason/semantics/and_or.h"
#include "reason/semantics/descriptor.h"
#include "reason/semantics/product_and.h"

namespace neumann::kernels {

// Among equals the initial value gets the gradient, else the first conjunction. At 0, where values can only rise, the
// first conjunction that can.
template <class V>
class MaximumOr {
public:
    constexpr MaximumOr(float, V initial) : largest_(initial) {}
    constexpr void add(const float* column, unsigned count) {
        for (unsigned k = 0; k < count; ++k) largest_ = max(largest_, V::load_aligned(column + k * tile_width));
    }
    constexpr V result() const { return largest_; }

    class Backward {
    public:
        constexpr Backward(float, V initial, V after)
            : initial_(initial), after_(after),
              left_(select((initial == after) && (after != V(0.0F)), V(0.0F), V(1.0F))) {}
        constexpr bool asks_what_can_rise() const { return any(after_ == V(0.0F)); }
        constexpr bool needs_totals() const { return false; }
        constexpr void totals(const float*, unsigned) {}
        constexpr void totals_done() {}
        constexpr V weight(V y, V can_rise) {
            const auto takes = (y == after_) && ((after_ != V(0.0F)) || (can_rise != V(0.0F)));
            const V given = select(takes, left_, V(0.0F));
            left_ = select(takes, V(0.0F), left_);
            return given;
        }
        constexpr V initial_weight() const {
            return select(initial_ == after_, select(after_ == V(0.0F), left_, V(1.0F)), V(0.0F));
        }

    private:
        V initial_;
        V after_;
        V left_;  // 0 once the gradient has been given away
    };

private:
    V largest_;
};

}  // namespace neumann::kernels

namespace neumann::formulas {

struct MaximumOr {
    static double value(double /*gamma*/, double initial, std::span<const double> values, Clamp& /*clamp*/) {
        double largest = initial;
        for (const double y : values) largest = std::max(largest, y);
        return largest;
    }
    // The first of the largest, the initial value before all. At 0, where values can only rise, the first one that can,
    // and the initial value last.
    static void gradient(double gamma, double initial, std::span<const double> values,
                         const std::vector<bool>& can_rise, double gradient, double& initial_gradient,
                         std::span<double> value_gradient) {
        Clamp clamp;
        const double result = value(gamma, initial, values, clamp);
        bool given = initial == result && result > 0;
        initial_gradient = given ? gradient : 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool takes = values[i] == result && !given && (result > 0 || can_rise[i]);
            value_gradient[i] = takes ? gradient : 0;
            given = given || takes;
        }
        if (initial == result && !given) initial_gradient = gradient;
    }
};

}  // namespace neumann::formulas

namespace neumann {

struct MaxProduct {
    static constexpr SemanticsLaws laws = {.name = "max-product",
                                           .summary = "product and maximum: the value of the best proof",
                                           .both = tnorm::product,
                                           .idempotent_or = true,
                                           .instances_compete = true};
    using Not = Complement;
    template <class V, class Not>
    using Step = kernels::AndOrStep<V, Not, kernels::ProductAnd<V, Not>, kernels::MaximumOr<V>>;
    using Formulas = formulas::AndOr<formulas::ProductAnd, formulas::MaximumOr>;
};
template <>
struct RegisteredSemantics<2> : MaxProduct {};

}  // namespace neumann
