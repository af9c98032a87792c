// The processor's vectors as lanes; their arithmetic is xsimd's. Include it where a kernel of vectors is made.
#pragma once

#include <cstdint>
#include <type_traits>

#include <xsimd/xsimd.hpp>

#include "base/lane.h"

namespace neumann {

template <class Arch>
struct LaneTraits<xsimd::batch<float, Arch>> {
    using Lanes = xsimd::batch<float, Arch>;
    using Integers = xsimd::as_integer_t<Lanes>;
    using Mask = typename Lanes::batch_bool_type;

    static Lanes mantissa(const std::uint32_t* bits, std::uint32_t flips) {
        using Bits = xsimd::batch<std::uint32_t, Arch>;
        return xsimd::bitwise_cast<Lanes>(((Bits::load_unaligned(bits) ^ Bits(flips)) >> 9) | Bits(0x3f800000U));
    }

    static Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
#if defined(__AVX512F__)  // xsimd 8.1 does not know that AVX-512 can
        if constexpr (std::is_same_v<Arch, xsimd::avx512f>) return _mm512_fmadd_ps(a, b, c);
#endif
        return xsimd::fma(a, b, c);
    }
    static Lanes nearest(Lanes a) { return xsimd::nearbyint(a); }
    static Lanes power_of_two(Lanes n) { return xsimd::bitwise_cast<Lanes>((xsimd::to_int(n) + Integers(127)) << 23); }
    static Lanes split(Lanes a, Lanes& exponent) {
        const Integers bits = xsimd::bitwise_cast<Integers>(a);
        const Integers power = (bits - Integers(0x3f3504f3)) >> 23;
        exponent = xsimd::to_float(power);
        return xsimd::bitwise_cast<Lanes>(bits - (power << 23));
    }
};

}  // namespace neumann
