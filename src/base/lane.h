// A single lane of floats, with the operations that the kernels need, in nothing but C++: what a graphics card's thread
// computes, and what any processor can. Where processors disagree about NaN and signed zeros it does as x86 does, so
// that it draws the pictures of the wide kernels bit for bit.
//
// All functions of the kernels are constexpr so that nvcc compiles them for the card, too (--expt-relaxed-constexpr).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace neumann::trace {

// What kernels ask of lanes beyond arithmetic, for each type of lanes: here, and in trace_batch.h for vectors.
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
    constexpr Lane& operator+=(Lane b) { return *this = *this + b; }

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
};

constexpr bool any(bool mask) { return mask; }
constexpr Lane select(bool mask, Lane a, Lane b) { return mask ? a : b; }
constexpr Lane min(Lane a, Lane b) { return a.v < b.v ? a : b; }
constexpr Lane max(Lane a, Lane b) { return a.v > b.v ? a : b; }
constexpr Lane abs(Lane a) { return Lane(std::bit_cast<float>(std::bit_cast<std::uint32_t>(a.v) & 0x7fffffffU)); }
#ifdef __CUDACC__
__host__ __device__
#endif
    inline Lane
    sqrt(Lane a) {
    return Lane(std::sqrt(a.v));
}  // not constexpr before C++26

}  // namespace neumann::trace
