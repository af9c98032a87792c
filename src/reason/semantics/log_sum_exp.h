// Soft-or as published, softor(x) = γ·log Σ e^{x/γ}. softor(0, 0) = γ·log 2: nothing stays 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "reason/kernels/kernel.h"
#include "reason/kernels/step.h"
#include "reason/kernels/vector_math.h"

namespace neumann::kernels {

template <class V>
class LogSumExp {
public:
    constexpr explicit LogSumExp(float gamma) : gamma_(gamma), to_log2_(1.44269504088896F / gamma) {}

    // softor(a, b) before clamping: the larger plus γ·log(1 + e^{−|a−b|/γ}).
    constexpr V two(V a, V b) const {
        return multiply_add(vector_log1p(vector_exp2(-abs(a - b) * to_log2_)), V(gamma_), max(a, b));
    }
    // ∂softor(a, b)/∂a; that of b is 1 minus it.
    constexpr V share(V a, V b) const {
        const V e = vector_exp2(-abs(a - b) * to_log2_);
        return select(a >= b, V(1.0F), e) / (V(1.0F) + e);
    }
    // ∂total/∂y for one of many, the total before clamping.
    constexpr V weight(V y, V total) const { return vector_exp2(powers(y, total)); }
    constexpr V powers(V y, V total) const { return (y - total) * to_log2_; }  // of two, between them
    constexpr V gamma() const { return V(gamma_); }

private:
    float gamma_;
    V to_log2_;
};

// softor(a, b), clamped to [0,1].
template <class V>
constexpr Row<V> softor_of_two(const LogSumExp<V>& softor, const Row<V>& a, const Row<V>& b) {
    Row<V> result;
    for (unsigned v = 0; v < vectors_per_row<V>; ++v) result[v] = softor.two(a[v], b[v]);
    return clamped(result);
}

// The gradient of softor(a, b) by each of the two.
template <class V>
struct GradientOfTwo {
    constexpr GradientOfTwo(const LogSumExp<V>& softor, const Row<V>& gradient, const Row<V>& a, const Row<V>& b) {
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) {
            first[v] = gradient[v] * softor.share(a[v], b[v]);
            second[v] = gradient[v] * softor.share(b[v], a[v]);
        }
    }
    Row<V> first;
    Row<V> second;
};

// softor over any number of values, block by block, relative to the largest so far.
template <class V>
class LogSumExpOfMany {
public:
    constexpr explicit LogSumExpOfMany(const LogSumExp<V>& softor) : softor_(softor) {}
    NEUMANN_INLINE_ON_DEVICE constexpr void add(const float* column, unsigned count) {
        V largest = largest_;
        for (unsigned k = 0; k < count; ++k) largest = max(largest, V::load_aligned(column + k * tile_width));
        if constexpr (requires { LaneTraits<V>::shift_slack; }) {
            follow(largest);
        } else {
            if (any(largest != largest_)) sum_ *= softor_.weight(largest_, largest);
            largest_ = largest;
        }
        for (unsigned k = 0; k < count; ++k) sum_ += softor_.weight(V::load_aligned(column + k * tile_width), largest_);
    }
    NEUMANN_INLINE_ON_DEVICE constexpr V unclamped() const {
        return multiply_add(vector_log1p(sum_ - V(1.0F)), softor_.gamma(), largest_);
    }

private:
    // The reference point of sums may stay behind the largest value as long as nothing overflows.
    NEUMANN_INLINE_ON_DEVICE constexpr void follow(V largest) {
        const auto moves = softor_.powers(largest, largest_) > V(LaneTraits<V>::shift_slack);
        if (!any(moves)) return;
        const V before = largest_;
        largest_ = LaneTraits<V>::from_here(select(moves, largest, largest_));
        sum_ *= softor_.weight(before, largest_);
    }

    LogSumExp<V> softor_;
    V largest_ = V(0.0F);  // values are at least 0; the sum is empty as long as nothing was added
    V sum_ = V(0.0F);
};

}  // namespace neumann::kernels

namespace neumann::formulas {

// Of at least one value.
inline double log_sum_exp(double gamma, std::span<const double> values) {
    const double largest = *std::ranges::max_element(values);
    double sum = 0;
    for (const double x : values) sum += std::exp((x - largest) / gamma);
    return largest + gamma * std::log(sum);
}
// Its derivative by one of them.
inline double log_sum_exp_share(double gamma, double value, double result) {
    return std::exp((value - result) / gamma);
}

// The gradient of softor(a, b) by each of the two.
struct GradientOfTwo {
    GradientOfTwo(double gamma, double gradient, double a, double b) {
        const double two[] = {a, b};
        const double result = log_sum_exp(gamma, two);
        first = gradient * log_sum_exp_share(gamma, a, result);
        second = gradient * log_sum_exp_share(gamma, b, result);
    }
    double first;
    double second;
};

}  // namespace neumann::formulas
