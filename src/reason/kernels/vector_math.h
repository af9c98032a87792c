// Vector functions exp and log1p for lanes of floats, to about one unit in the last place, and for the soft-or the
// difference of two exponentials without cancellation. Each lane is computed alike: a value does not depend on its
// neighbours. Names differ from xsimd's own functions, which overload resolution would prefer, and whose bits depend on
// the instruction set.
#pragma once

#include "base/lane.h"

// On a GPU, functions that are not inlined keep their lanes in memory.
#ifdef __CUDACC__
#define NEUMANN_INLINE_ON_DEVICE __forceinline__
#else
#define NEUMANN_INLINE_ON_DEVICE
#endif

namespace neumann::kernels {

// a·b + c, rounded once where the instruction set can.
template <class V>
constexpr V multiply_add(V a, V b, V c) {
    return LaneTraits<V>::multiply_add(a, b, c);
}

template <class V>
struct ExpParts {
    V scale;     // 2^n
    V fraction;  // 2^t = scale·(1 + fraction)
};

// The nearest integer n, and 2ⁿ, in one where lanes know how.
template <class V>
constexpr V nearest_with_power(V t, V& power) {
    if constexpr (requires { LaneTraits<V>::nearest_with_power(t, power); }) {
        return LaneTraits<V>::nearest_with_power(t, power);
    } else {
        const V n = LaneTraits<V>::nearest(t);
        power = LaneTraits<V>::power_of_two(n);
        return n;
    }
}

// 2^t = 2^n·2^r with n the nearest integer; 2^r − 1 = r·P(r), P interpolated at Chebyshev nodes (error 8e-9). Below
// −126 the scale is 0. t must not exceed 126.
template <class V>
constexpr ExpParts<V> exp2_parts(V t) {
    t = max(t, V(-127.0F));
    V scale(0.0F);
    const V n = nearest_with_power(t, scale);
    const V r = t - n;
    V p = V(1.5453162945e-04F);
    p = multiply_add(p, r, V(1.3390863365e-03F));
    p = multiply_add(p, r, V(9.6180825573e-03F));
    p = multiply_add(p, r, V(5.5503571142e-02F));
    p = multiply_add(p, r, V(2.4022650761e-01F));
    p = multiply_add(p, r, V(6.9314718803e-01F));
    return {scale, p * r};
}

template <class V>
constexpr V vector_exp2(V t) {
    const ExpParts<V> parts = exp2_parts(t);
    return multiply_add(parts.scale, parts.fraction, parts.scale);
}

// 2^t − 2^t0: exactly 0 where t is t0, and for t0 = 0 and small t precise relative to its own size. Not with fused
// multiply-adds: both products must be rounded alike to cancel.
template <class V>
constexpr V exp2_difference(V t, const ExpParts<V>& from) {
    const ExpParts<V> parts = exp2_parts(t);
    return (parts.scale - from.scale) + (parts.scale * parts.fraction - from.scale * from.fraction);
}

// log(1 + x) for x ≥ 0, precise relative to its own size. log m = 2·atanh((m−1)/(m+1)), with m−1 = x itself where x is
// small, else the mantissa of 1 + x.
template <class V>
constexpr V vector_log1p(V x) {
    V exponent(0.0F);
    const V mantissa = LaneTraits<V>::split(x + V(1.0F), exponent);
    const auto small = x < V(0.41F);
    const V f = select(small, x, mantissa - V(1.0F));
    const V n = select(small, V(0.0F), exponent);
    const V s = f / (f + V(2.0F));
    const V z = s * s;
    V p = V(2.0F / 11.0F);
    p = multiply_add(p, z, V(2.0F / 9.0F));
    p = multiply_add(p, z, V(2.0F / 7.0F));
    p = multiply_add(p, z, V(2.0F / 5.0F));
    p = multiply_add(p, z, V(2.0F / 3.0F));
    const V log_m = multiply_add(p * z, s, s + s);
    return multiply_add(n, V(0.693147180559945F), log_m);
}

}  // namespace neumann::kernels
