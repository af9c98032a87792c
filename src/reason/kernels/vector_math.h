// exp and log1p for vectors of floats, to about one unit in the last place, with what the soft-or needs beside: the
// difference of two exponentials without cancellation. Each lane is computed alike: a value does not depend on its
// neighbours. Names differ from xsimd's own functions, which overload resolution would prefer.
#pragma once

#include <type_traits>

#include <xsimd/xsimd.hpp>

namespace neumann::kernels {

// a·b + c, rounded once where the instruction set can. (xsimd 8.1 does not know that AVX-512 can.)
template <class V>
inline V multiply_add(V a, V b, V c) {
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<typename V::arch_type, xsimd::avx512f>) return _mm512_fmadd_ps(a, b, c);
#endif
    return xsimd::fma(a, b, c);
}

template <class V>
struct ExpParts {
    V scale;     // 2^n
    V fraction;  // 2^t = scale·(1 + fraction)
};

// 2^t = 2^n·2^r with n the nearest integer; 2^r − 1 = r·P(r), P interpolated at Chebyshev nodes (error 8e-9). Below
// −126 the scale is 0. t must not exceed 126.
template <class V>
inline ExpParts<V> exp2_parts(V t) {
    t = xsimd::max(t, V(-127.0F));
    const V n = xsimd::nearbyint(t);
    const V r = t - n;
    V p = V(1.5453162945e-04F);
    p = multiply_add(p, r, V(1.3390863365e-03F));
    p = multiply_add(p, r, V(9.6180825573e-03F));
    p = multiply_add(p, r, V(5.5503571142e-02F));
    p = multiply_add(p, r, V(2.4022650761e-01F));
    p = multiply_add(p, r, V(6.9314718803e-01F));
    using I = xsimd::as_integer_t<V>;
    const I exponent = (xsimd::to_int(n) + I(127)) << 23;
    return {xsimd::bitwise_cast<V>(exponent), p * r};
}

template <class V>
inline V vector_exp2(V t) {
    const ExpParts<V> parts = exp2_parts(t);
    return multiply_add(parts.scale, parts.fraction, parts.scale);
}

// 2^t − 2^t0: exactly 0 where t is t0, and for t0 = 0 and small t precise relative to its own size. Not with fused
// multiply-adds: both products must be rounded alike to cancel.
template <class V>
inline V exp2_difference(V t, const ExpParts<V>& from) {
    const ExpParts<V> parts = exp2_parts(t);
    return (parts.scale - from.scale) + (parts.scale * parts.fraction - from.scale * from.fraction);
}

// log(1 + x) for x ≥ 0, precise relative to its own size. log m = 2·atanh((m−1)/(m+1)), with m−1 = x itself where x is
// small, else the mantissa of 1 + x.
template <class V>
inline V vector_log1p(V x) {
    using I = xsimd::as_integer_t<V>;
    const V u = x + V(1.0F);
    const I bits = xsimd::bitwise_cast<I>(u);
    // Exponent for a mantissa in [√½, √2).
    const I shifted = bits - I(0x3f3504f3);
    const I exponent = shifted >> 23;
    const V mantissa = xsimd::bitwise_cast<V>(bits - (exponent << 23));
    const auto small = x < V(0.41F);
    const V f = xsimd::select(small, x, mantissa - V(1.0F));
    const V n = xsimd::select(small, V(0.0F), xsimd::to_float(exponent));
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
