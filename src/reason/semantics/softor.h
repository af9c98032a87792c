// The semantics softor: the product for AND; a soft-or with the initial value for OR, without the leak of the
// log-sum-exp: of zeros it is 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "reason/kernels/vector_math.h"
#include "reason/semantics/and_or.h"
#include "reason/semantics/descriptor.h"
#include "reason/semantics/product_and.h"

namespace neumann::kernels {

// softor₀(x) = γ·log(1 + Σ(e^{x/γ} − 1)), relative to a shift s: the largest value so far, or 0 while that is below
// γ/2.
//     S = Σ(e^{(x−s)/γ} − e^{−s/γ}),  result = s + γ·log(e^{−s/γ} + S)
// Nothing overflows for any γ, a value of 0 adds exactly 0, and small values keep their relative precision.
template <class V>
class SoftOr {
public:
    NEUMANN_INLINE_ON_DEVICE constexpr SoftOr(float gamma, V initial)
        : gamma_(gamma), to_log2_(1.44269504088896F / gamma), largest_(initial), total_(initial) {
        if (!any(initial != V(0.0F))) return;
        shift_to_largest();
        sum_ = exp2_difference((initial - shift_) * to_log2_, base_);
    }
    NEUMANN_INLINE_ON_DEVICE constexpr void add(const float* column, unsigned count) {
        for (unsigned k = 0; k < count; ++k) {
            const V y = V::load_aligned(column + k * tile_width);
            largest_ = max(largest_, y);
            total_ += y;
        }
        follow_largest();
        for (unsigned k = 0; k < count; ++k)
            sum_ += exp2_difference((V::load_aligned(column + k * tile_width) - shift_) * to_log2_, base_);
    }
    NEUMANN_INLINE_ON_DEVICE constexpr V result() const { return min(unclamped(), V(1.0F)); }
    NEUMANN_INLINE_ON_DEVICE constexpr V unclamped() const {
        // e^{−s/γ} − 1; the rest is the sum of all but the largest value, the argument of log1p.
        const V base = (base_.scale - V(1.0F)) + base_.scale * base_.fraction;
        const V softor = multiply_add(vector_log1p(sum_ + base), V(gamma_), shift_);
        return select(total_ == largest_, largest_, softor);
    }

    // ∂/∂x_i = e^{(x_i − result)/γ}, of the result before it was clamped: the overshoot counts as a constant.
    class Backward {
    public:
        constexpr Backward(float gamma, V initial, V after)
            : to_log2_(1.44269504088896F / gamma), initial_(initial), after_(after), forward_(gamma, initial) {}
        constexpr bool needs_totals() const { return any(after_ >= V(1.0F)); }
        constexpr bool asks_what_can_rise() const { return false; }
        constexpr void totals(const float* column, unsigned count) { forward_.add(column, count); }
        constexpr void totals_done() { after_ = select(after_ >= V(1.0F), forward_.unclamped(), after_); }
        constexpr V weight(V y, V) const { return vector_exp2((y - after_) * to_log2_); }
        constexpr V initial_weight() const { return weight(initial_, V(1.0F)); }

    private:
        V to_log2_;
        V initial_;
        V after_;
        SoftOr forward_;
    };

private:
    NEUMANN_INLINE_ON_DEVICE constexpr void follow_largest() {
        const V before = shift_;
        if constexpr (requires { LaneTraits<V>::shift_slack; }) {
            // As long as nothing overflows the shift may stay behind: moving it costs more.
            const auto moves = (largest_ - shift_) * to_log2_ > V(LaneTraits<V>::shift_slack);
            if (!any(moves)) return;
            shift_ = LaneTraits<V>::from_here(select(moves, largest_, shift_));
            base_ = exp2_parts((V(0.0F) - shift_) * to_log2_);
            sum_ *= vector_exp2((before - shift_) * to_log2_);
        } else {
            shift_to_largest();
            if (any((before != shift_) && (sum_ != V(0.0F)))) sum_ *= vector_exp2((before - shift_) * to_log2_);
        }
    }
    NEUMANN_INLINE_ON_DEVICE constexpr void shift_to_largest() {
        shift_ = select(largest_ < V(0.5F * gamma_), V(0.0F), largest_);
        base_ = exp2_parts((V(0.0F) - shift_) * to_log2_);
    }

    float gamma_;
    V to_log2_;
    V largest_;
    V total_;  // equal to the largest value: there is no other, and it is the result, exactly
    V shift_ = V(0.0F);
    ExpParts<V> base_ = {V(1.0F), V(0.0F)};  // e^{−s/γ}
    V sum_ = V(0.0F);
};

}  // namespace neumann::kernels

namespace neumann::formulas {

// γ·log(1 + Σ(e^{x/γ} − 1)), relative to the largest value m: m + γ·log(e^{−m/γ} + Σ(e^{(x−m)/γ} − e^{−m/γ})). The
// largest one adds 1 to the sum, so that the rest is the argument of log1p.
struct SoftOr {
    static double unclamped(double gamma, double initial, std::span<const double> values) {
        double largest = initial;
        for (const double y : values) largest = std::max(largest, y);
        const bool small = largest < gamma;
        const auto term = [&](double y) {
            return small ? std::expm1(y / gamma) : std::exp((y - largest) / gamma) * -std::expm1(-y / gamma);
        };
        double rest = term(initial);
        for (const double y : values) rest += term(y);
        return small ? gamma * std::log1p(rest) : largest + gamma * std::log1p(rest + std::expm1(-largest / gamma));
    }
    static double value(double gamma, double initial, std::span<const double> values, Clamp& clamp) {
        return clamp(unclamped(gamma, initial, values));
    }
    static void gradient(double gamma, double initial, std::span<const double> values,
                         const std::vector<bool>& /*can_rise*/, double gradient, double& initial_gradient,
                         std::span<double> value_gradient) {
        const double result = unclamped(gamma, initial, values);
        const auto share = [&](double y) { return std::exp((y - result) / gamma); };
        for (std::size_t i = 0; i < values.size(); ++i) value_gradient[i] = gradient * share(values[i]);
        initial_gradient = gradient * share(initial);
    }
};

}  // namespace neumann::formulas

namespace neumann {

struct SoftOr {
    static constexpr SemanticsLaws laws = {.name = "softor",
                                           .summary =
                                               "product for AND; leak-free log-sum-exp with the initial value for OR",
                                           .both = tnorm::product,
                                           .uses_gamma = true,
                                           .smooth = true};
    using Not = Complement;
    template <class V, class Not>
    using Step = kernels::AndOrStep<V, Not, kernels::ProductAnd<V, Not>, kernels::SoftOr<V>>;
    using Formulas = formulas::AndOr<formulas::ProductAnd, formulas::SoftOr>;
};
template <>
struct RegisteredSemantics<0> : SoftOr {};

}  // namespace neumann
