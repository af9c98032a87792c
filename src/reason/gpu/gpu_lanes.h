// Lanes of a GPU's thread: four examples of a tile, or one. A row of them is a row of the tile, so that the formulas
// find values a tile's width apart; the neighbouring threads have the other lanes.
#pragma once

#include <bit>
#include <cstdint>

#include "base/lane.h"
#include "reason/kernels/kernel.h"

namespace neumann {

template <unsigned Count>
struct GpuLanesOf {
    using GpuLanes = GpuLanesOf;
    static constexpr unsigned size = tile_width;  // the distance between two rows
    static constexpr unsigned count = Count;      // the lanes of this thread

    struct Mask {
        bool part[count];

        friend constexpr Mask operator&&(Mask a, Mask b) {
            for (unsigned i = 0; i < count; ++i) a.part[i] = a.part[i] && b.part[i];
            return a;
        }
        friend constexpr Mask operator||(Mask a, Mask b) {
            for (unsigned i = 0; i < count; ++i) a.part[i] = a.part[i] || b.part[i];
            return a;
        }
        friend constexpr bool any(const Mask& mask) {
            bool found = false;
            for (const bool one : mask.part) found = found || one;
            return found;
        }
        friend constexpr GpuLanesOf select(const Mask& mask, const GpuLanesOf& a, const GpuLanesOf& b) {
            return GpuLanesOf::each([&](unsigned i) { return select(mask.part[i], a.part[i], b.part[i]); });
        }
    };

    Lane part[count];

    GpuLanesOf() = default;
    constexpr explicit GpuLanesOf(float value) {
        for (Lane& one : part) one = Lane(value);
    }

#ifdef __CUDA_ARCH__
    static __device__ GpuLanes load_aligned(const float* from) {
        if constexpr (count == 1) return GpuLanes(*from);
        const float4 four = *reinterpret_cast<const float4*>(from);
        const float each[] = {four.x, four.y, four.z, four.w};
        GpuLanes result;
        for (unsigned i = 0; i < count; ++i) result.part[i] = Lane(each[i]);
        return result;
    }
    __device__ void store_aligned(float* to) const {
        if constexpr (count == 1) {
            *to = part[0].v;
        } else {
            *reinterpret_cast<float4*>(to) = make_float4(part[0].v, part[1].v, part[2].v, part[3].v);
        }
    }
#else
    static constexpr GpuLanes load_aligned(const float* from) {
        GpuLanes result(0.0F);
        for (unsigned i = 0; i < count; ++i) result.part[i] = Lane(from[i]);
        return result;
    }
    constexpr void store_aligned(float* to) const {
        for (unsigned i = 0; i < count; ++i) to[i] = part[i].v;
    }
#endif

    template <class Use>
    static constexpr GpuLanes each(const Use& use) {
        GpuLanes result(0.0F);
        for (unsigned i = 0; i < count; ++i) result.part[i] = use(i);
        return result;
    }
    template <class Ask>
    static constexpr Mask ask(const Ask& one) {
        Mask result{};
        for (unsigned i = 0; i < count; ++i) result.part[i] = one(i);
        return result;
    }

    friend constexpr GpuLanes operator+(const GpuLanes& a, const GpuLanes& b) {
        return each([&](unsigned i) { return a.part[i] + b.part[i]; });
    }
    friend constexpr GpuLanes operator-(const GpuLanes& a, const GpuLanes& b) {
        return each([&](unsigned i) { return a.part[i] - b.part[i]; });
    }
    friend constexpr GpuLanes operator*(const GpuLanes& a, const GpuLanes& b) {
        return each([&](unsigned i) { return a.part[i] * b.part[i]; });
    }
    friend constexpr GpuLanes operator/(const GpuLanes& a, const GpuLanes& b) {
        return each([&](unsigned i) { return a.part[i] / b.part[i]; });
    }
    friend constexpr GpuLanes operator-(const GpuLanes& a) {
        return each([&](unsigned i) { return -a.part[i]; });
    }
    constexpr GpuLanes& operator+=(const GpuLanes& b) { return *this = *this + b; }
    constexpr GpuLanes& operator-=(const GpuLanes& b) { return *this = *this - b; }
    constexpr GpuLanes& operator*=(const GpuLanes& b) { return *this = *this * b; }

    friend constexpr Mask operator==(const GpuLanes& a, const GpuLanes& b) {
        return ask([&](unsigned i) { return a.part[i] == b.part[i]; });
    }
    friend constexpr Mask operator!=(const GpuLanes& a, const GpuLanes& b) {
        return ask([&](unsigned i) { return a.part[i] != b.part[i]; });
    }
    friend constexpr Mask operator<(const GpuLanes& a, const GpuLanes& b) {
        return ask([&](unsigned i) { return a.part[i] < b.part[i]; });
    }
    friend constexpr Mask operator>(const GpuLanes& a, const GpuLanes& b) {
        return ask([&](unsigned i) { return a.part[i] > b.part[i]; });
    }
    friend constexpr Mask operator>=(const GpuLanes& a, const GpuLanes& b) {
        return ask([&](unsigned i) { return a.part[i] >= b.part[i]; });
    }
};

// There is no NaN: the GPU has one instruction for each.
#ifdef __CUDA_ARCH__
template <unsigned Count>
__device__ GpuLanesOf<Count> min(const GpuLanesOf<Count>& a, const GpuLanesOf<Count>& b) {
    return GpuLanesOf<Count>::each([&](unsigned i) { return Lane(fminf(a.part[i].v, b.part[i].v)); });
}
template <unsigned Count>
__device__ GpuLanesOf<Count> max(const GpuLanesOf<Count>& a, const GpuLanesOf<Count>& b) {
    return GpuLanesOf<Count>::each([&](unsigned i) { return Lane(fmaxf(a.part[i].v, b.part[i].v)); });
}
#else
template <unsigned Count>
constexpr GpuLanesOf<Count> min(const GpuLanesOf<Count>& a, const GpuLanesOf<Count>& b) {
    return GpuLanesOf<Count>::each([&](unsigned i) { return min(a.part[i], b.part[i]); });
}
template <unsigned Count>
constexpr GpuLanesOf<Count> max(const GpuLanesOf<Count>& a, const GpuLanesOf<Count>& b) {
    return GpuLanesOf<Count>::each([&](unsigned i) { return max(a.part[i], b.part[i]); });
}
#endif
template <unsigned Count>
constexpr GpuLanesOf<Count> abs(const GpuLanesOf<Count>& a) {
    return GpuLanesOf<Count>::each([&](unsigned i) { return abs(a.part[i]); });
}

template <unsigned Count>
struct LaneTraits<GpuLanesOf<Count>> {
    using GpuLanes = GpuLanesOf<Count>;
    using Mask = typename GpuLanes::Mask;
    using One = LaneTraits<Lane>;
    static constexpr float shift_slack = 32.0F;  // powers of two that sums may grow by before they are scaled

    // The same value: makes nvcc compute the code that depends on it in this branch only, not ahead of it.
    static constexpr GpuLanes from_here(GpuLanes a) {
#ifdef __CUDA_ARCH__
        for (Lane& one : a.part) asm volatile("" : "+f"(one.v));
#endif
        return a;
    }
    static constexpr GpuLanes multiply_add(const GpuLanes& a, const GpuLanes& b, const GpuLanes& c) {
        return GpuLanes::each([&](unsigned i) { return One::multiply_add(a.part[i], b.part[i], c.part[i]); });
    }
    static constexpr GpuLanes nearest(const GpuLanes& a) {
        return GpuLanes::each([&](unsigned i) { return One::nearest(a.part[i]); });
    }
    static constexpr GpuLanes power_of_two(const GpuLanes& n) {
        return GpuLanes::each([&](unsigned i) { return One::power_of_two(n.part[i]); });
    }
    // The rounded integer is in the last bits of the sum: from there it goes into the exponent.
    static constexpr GpuLanes nearest_with_power(const GpuLanes& t, GpuLanes& power) {
        return GpuLanes::each([&](unsigned i) {
            const Lane shift(12582912.0F);  // 3·2²², as in One::nearest
            const Lane sum = t.part[i] + shift;
            power.part[i] = Lane(std::bit_cast<float>((std::bit_cast<std::uint32_t>(sum.v) << 23) + 0x3f800000U));
            return sum - shift;
        });
    }
    static constexpr GpuLanes split(const GpuLanes& a, GpuLanes& exponent) {
        GpuLanes mantissa(0.0F);
        for (unsigned i = 0; i < GpuLanes::count; ++i) mantissa.part[i] = One::split(a.part[i], exponent.part[i]);
        return mantissa;
    }
};

using GpuLanes = GpuLanesOf<4>;

}  // namespace neumann
