// Lanes of floats: the vector type of the reasoning kernels and the path tracer. The same source is compiled for each
// of the processor's vector sizes (base/lane_batch.h), for the single lane defined here, which any processor has, and
// for a thread of a GPU.
//
// A type V of lanes has V::size lanes, V(float), load_aligned and store_aligned, arithmetic and comparisons, whose
// masks know &&, || and !; the functions any, select, min, max, abs and sqrt; and LaneTraits<V>.
//
// The single lane is nothing but C++. Where processors disagree about NaN and signed zeros it does as x86 does, so that
// it computes the wide kernels' results bit for bit where no multiply-add is fused. Its functions are constexpr, and so
// are those of the kernels, so that nvcc compiles them for the GPU, too (--expt-relaxed-constexpr).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#ifdef __CUDACC__
#define NEUMANN_ON_DEVICE __host__ __device__
#else
#define NEUMANN_ON_DEVICE
#endif

namespace neumann {

// Operations that kernels need beyond arithmetic.
template <class V>
struct LaneTraits;

struct Lane {
    static constexpr unsigned size = 1;

    float v;

    Lane() = default;
    constexpr explicit Lane(float value) : v(value) {}
    static constexpr Lane load_aligned(const float* from) { return Lane(*from); }
    constexpr void store_aligned(float* to) const { *to = v; }

    friend constexpr Lane operator+(Lane a, Lane b) { return Lane(a.v + b.v); }
    friend constexpr Lane operator-(Lane a, Lane b) { return Lane(a.v - b.v); }
    friend constexpr Lane operator*(Lane a, Lane b) { return Lane(a.v * b.v); }
    friend constexpr Lane operator/(Lane a, Lane b) { return Lane(a.v / b.v); }
    friend constexpr Lane operator-(Lane a) { return Lane(-a.v); }
    constexpr Lane& operator+=(Lane b) { return *this = *this + b; }
    constexpr Lane& operator-=(Lane b) { return *this = *this - b; }
    constexpr Lane& operator*=(Lane b) { return *this = *this * b; }

    friend constexpr bool operator==(Lane a, Lane b) { return a.v == b.v; }
    friend constexpr bool operator!=(Lane a, Lane b) { return a.v != b.v; }
    friend constexpr bool operator<(Lane a, Lane b) { return a.v < b.v; }
    friend constexpr bool operator<=(Lane a, Lane b) { return a.v <= b.v; }
    friend constexpr bool operator>(Lane a, Lane b) { return a.v > b.v; }
    friend constexpr bool operator>=(Lane a, Lane b) { return a.v >= b.v; }
};

template <>
struct LaneTraits<Lane> {
    using Mask = bool;

    // The float with these bits, some of them flipped, as its mantissa: in [1, 2).
    static constexpr Lane mantissa(const std::uint32_t* bits, std::uint32_t flips) {
        return Lane(std::bit_cast<float>(((*bits ^ flips) >> 9) | 0x3f800000U));
    }

    // a·b + c, rounded once where the instructions can.
#ifdef __CUDA_ARCH__
    static __device__ Lane multiply_add(Lane a, Lane b, Lane c) { return Lane(fmaf(a.v, b.v, c.v)); }
#else
    static constexpr Lane multiply_add(Lane a, Lane b, Lane c) { return a * b + c; }
#endif

    // The nearest integer, the even one of two, for |a| < 2²².
    static constexpr Lane nearest(Lane a) {
        const Lane shift(12582912.0F);  // 3·2²²: adding it to a number rounds away the fractional part
        return (a + shift) - shift;
    }
    // 2ⁿ for an integer from −126 to 127; 0 for −127.
    static constexpr Lane power_of_two(Lane n) {
        return Lane(std::bit_cast<float>((static_cast<std::int32_t>(n.v) + 127) << 23));
    }
    // a = mantissa·2^exponent with a mantissa in [√½, √2), for a > 0.
    static constexpr Lane split(Lane a, Lane& exponent) {
        const auto bits = std::bit_cast<std::int32_t>(a.v);
        const std::int32_t power = (bits - 0x3f3504f3) >> 23;
        exponent = Lane(static_cast<float>(power));
        return Lane(std::bit_cast<float>(bits - (power << 23)));
    }
};

constexpr bool any(bool mask) { return mask; }
constexpr Lane select(bool mask, Lane a, Lane b) { return mask ? a : b; }
constexpr Lane min(Lane a, Lane b) { return a.v < b.v ? a : b; }
constexpr Lane max(Lane a, Lane b) { return a.v > b.v ? a : b; }
constexpr Lane abs(Lane a) { return Lane(std::bit_cast<float>(std::bit_cast<std::uint32_t>(a.v) & 0x7fffffffU)); }
NEUMANN_ON_DEVICE inline Lane sqrt(Lane a) { return Lane(std::sqrt(a.v)); }  // not constexpr before C++26

}  // namespace neumann
