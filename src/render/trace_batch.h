// Vectors as lanes of the kernels; their arithmetic is xsimd's. Include it where a kernel of vectors is made.
#pragma once

#include <cstdint>

#include <xsimd/xsimd.hpp>

#include "base/lane.h"

namespace neumann::trace {

template <class Arch>
struct LaneTraits<xsimd::batch<float, Arch>> {
    using Lanes = xsimd::batch<float, Arch>;
    using Mask = typename Lanes::batch_bool_type;

    static Lanes mantissa(const std::uint32_t* bits, std::uint32_t flips) {
        using Bits = xsimd::batch<std::uint32_t, Arch>;
        return xsimd::bitwise_cast<Lanes>(((Bits::load_unaligned(bits) ^ Bits(flips)) >> 9) | Bits(0x3f800000U));
    }
};

}  // namespace neumann::trace
