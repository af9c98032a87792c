// What OR means: an atom's new value from its initial value and the values of its conjunctions, and the way back. Each
// class holds the state of one vector of lanes while the conjunctions stream by in blocks; `column` is the first of
// `count` values, a row apart.
//
// Forward:  Or(gamma, initial), add(column, count)…, result().
// Backward: Or::Backward(gamma, initial, after); if needs_totals(): totals(column, count)… over all blocks first; then
//           weight(y, can_rise) once for each conjunction in order, then initial_weight(): the derivatives of the
//           result. can_rise is 0 where a conjunction is 0 for more than one reason; only asks_what_can_rise() looks at
//           it.
#pragma once

#include "reason/kernels/kernel.h"
#include "reason/kernels/vector_math.h"

namespace neumann::kernels {

// softor₀(x) = γ·log(1 + Σ(e^{x/γ} − 1)), relative to a shift s: the largest value so far, or 0 while that is below
// γ/2.
//     S = Σ(e^{(x−s)/γ} − e^{−s/γ}),  result = s + γ·log(e^{−s/γ} + S)
// Nothing overflows for any γ, a value of 0 adds exactly 0, and small values keep their relative precision.
template <class V>
class SoftOr {
public:
    constexpr SoftOr(float gamma, V initial)
        : gamma_(gamma), to_log2_(1.44269504088896F / gamma), largest_(initial), total_(initial) {
        if (!any(initial != V(0.0F))) return;
        shift_to_largest();
        sum_ = exp2_difference((initial - shift_) * to_log2_, base_);
    }
    constexpr void add(const float* column, unsigned count) {
        for (unsigned k = 0; k < count; ++k) {
            const V y = V::load_aligned(column + k * tile_width);
            largest_ = max(largest_, y);
            total_ += y;
        }
        const V before = shift_;
        shift_to_largest();
        if (any(before != shift_)) sum_ *= vector_exp2((before - shift_) * to_log2_);
        for (unsigned k = 0; k < count; ++k)
            sum_ += exp2_difference((V::load_aligned(column + k * tile_width) - shift_) * to_log2_, base_);
    }
    constexpr V result() const { return min(unclamped(), V(1.0F)); }
    constexpr V unclamped() const {
        // e^{−s/γ} − 1; the sum of all but the largest value is left, which is what log1p takes.
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
    constexpr void shift_to_largest() {
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

// 1 − ∏(1 − y), summed up as o + y·(1 − o), which keeps small values precise.
template <class V>
class NoisyOr {
public:
    constexpr NoisyOr(float, V initial) : so_far_(initial) {}
    constexpr void add(V y) { so_far_ = multiply_add(y, V(1.0F) - so_far_, so_far_); }
    constexpr void add(const float* column, unsigned count) {
        for (unsigned k = 0; k < count; ++k) add(V::load_aligned(column + k * tile_width));
    }
    constexpr V result() const { return min(so_far_, V(1.0F)); }

    // ∂/∂y is the product of the other factors (1 − y): all of them divided by its own, unless some are 0.
    class Backward {
    public:
        constexpr Backward(float, V initial, V) : initial_(initial) { totals(initial); }
        constexpr bool needs_totals() const { return true; }
        constexpr bool asks_what_can_rise() const { return false; }
        constexpr void totals(V y) {
            const V factor = V(1.0F) - y;
            const auto zero = factor == V(0.0F);
            product_ *= select(zero, V(1.0F), factor);
            zeros_ += select(zero, V(1.0F), V(0.0F));
        }
        constexpr void totals(const float* column, unsigned count) {
            for (unsigned k = 0; k < count; ++k) totals(V::load_aligned(column + k * tile_width));
        }
        constexpr void totals_done() {}
        constexpr V weight(V y, V) const {
            const V factor = V(1.0F) - y;
            const auto zero = factor == V(0.0F);
            const V others = select(zero, product_, product_ / select(zero, V(1.0F), factor));
            return select(zeros_ == select(zero, V(1.0F), V(0.0F)), others, V(0.0F));
        }
        constexpr V initial_weight() const { return weight(initial_, V(1.0F)); }

    private:
        V initial_;
        V product_ = V(1.0F);  // of the factors that are not 0
        V zeros_ = V(0.0F);
    };

private:
    V so_far_;
};

// min(1, Σy). Where the sum is exactly 1 it can only fall, and only by what is not 0.
template <class V>
class BoundedOr {
public:
    constexpr BoundedOr(float, V initial) : sum_(initial) {}
    constexpr void add(const float* column, unsigned count) {
        for (unsigned k = 0; k < count; ++k) sum_ += V::load_aligned(column + k * tile_width);
    }
    constexpr V result() const { return min(sum_, V(1.0F)); }

    class Backward {
    public:
        constexpr Backward(float, V initial, V after) : initial_(initial), after_(after), sum_(initial) {}
        constexpr bool needs_totals() const { return any(after_ >= V(1.0F)); }
        constexpr bool asks_what_can_rise() const { return false; }
        constexpr void totals(const float* column, unsigned count) {
            for (unsigned k = 0; k < count; ++k) sum_ += V::load_aligned(column + k * tile_width);
        }
        constexpr void totals_done() {}
        constexpr V weight(V y, V) const {
            const auto open = (after_ < V(1.0F)) || ((sum_ == V(1.0F)) && (y > V(0.0F)));
            return select(open, V(1.0F), V(0.0F));
        }
        constexpr V initial_weight() const { return weight(initial_, V(1.0F)); }

    private:
        V initial_;
        V after_;
        V sum_;
    };

private:
    V sum_;
};

}  // namespace neumann::kernels
