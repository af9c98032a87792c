// The lanes of a graphics card's thread: four examples of a tile, or one. A row of them is a row of the tile, so that
// the formulas find values where they lie, a tile's width apart; the threads beside it have the other lanes.
#pragma once

#include <bit>
#include <cstdint>

#include "base/lane.h"
#include "reason/kernels/kernel.h"

namespace neumann {

template <unsigned Count>
struct CardLanesOf {
    using CardLanes = CardLanesOf;
    static constexpr unsigned size = tile_width;  // what a thread steps over
    static constexpr unsigned count = Count;      // what it computes

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
        friend constexpr CardLanesOf select(const Mask& mask, const CardLanesOf& a, const CardLanesOf& b) {
            return CardLanesOf::each([&](unsigned i) { return select(mask.part[i], a.part[i], b.part[i]); });
        }
    };

    Lane part[count];

    CardLanesOf() = default;
    constexpr explicit CardLanesOf(float value) {
        for (Lane& one : part) one = Lane(value);
    }

#ifdef __CUDA_ARCH__
    static __device__ CardLanes load_aligned(const float* from) {
        if constexpr (count == 1) return CardLanes(*from);
        const float4 four = *reinterpret_cast<const float4*>(from);
        const float each[] = {four.x, four.y, four.z, four.w};
        CardLanes result;
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
    static constexpr CardLanes load_aligned(const float* from) {
        CardLanes result(0.0F);
        for (unsigned i = 0; i < count; ++i) result.part[i] = Lane(from[i]);
        return result;
    }
    constexpr void store_aligned(float* to) const {
        for (unsigned i = 0; i < count; ++i) to[i] = part[i].v;
    }
#endif

    template <class Use>
    static constexpr CardLanes each(const Use& use) {
        CardLanes result(0.0F);
        for (unsigned i = 0; i < count; ++i) result.part[i] = use(i);
        return result;
    }
    template <class Ask>
    static constexpr Mask ask(const Ask& one) {
        Mask result{};
        for (unsigned i = 0; i < count; ++i) result.part[i] = one(i);
        return result;
    }

    friend constexpr CardLanes operator+(const CardLanes& a, const CardLanes& b) {
        return each([&](unsigned i) { return a.part[i] + b.part[i]; });
    }
    friend constexpr CardLanes operator-(const CardLanes& a, const CardLanes& b) {
        return each([&](unsigned i) { return a.part[i] - b.part[i]; });
    }
    friend constexpr CardLanes operator*(const CardLanes& a, const CardLanes& b) {
        return each([&](unsigned i) { return a.part[i] * b.part[i]; });
    }
    friend constexpr CardLanes operator/(const CardLanes& a, const CardLanes& b) {
        return each([&](unsigned i) { return a.part[i] / b.part[i]; });
    }
    friend constexpr CardLanes operator-(const CardLanes& a) {
        return each([&](unsigned i) { return -a.part[i]; });
    }
    constexpr CardLanes& operator+=(const CardLanes& b) { return *this = *this + b; }
    constexpr CardLanes& operator-=(const CardLanes& b) { return *this = *this - b; }
    constexpr CardLanes& operator*=(const CardLanes& b) { return *this = *this * b; }

    friend constexpr Mask operator==(const CardLanes& a, const CardLanes& b) {
        return ask([&](unsigned i) { return a.part[i] == b.part[i]; });
    }
    friend constexpr Mask operator!=(const CardLanes& a, const CardLanes& b) {
        return ask([&](unsigned i) { return a.part[i] != b.part[i]; });
    }
    friend constexpr Mask operator<(const CardLanes& a, const CardLanes& b) {
        return ask([&](unsigned i) { return a.part[i] < b.part[i]; });
    }
    friend constexpr Mask operator>(const CardLanes& a, const CardLanes& b) {
        return ask([&](unsigned i) { return a.part[i] > b.part[i]; });
    }
    friend constexpr Mask operator>=(const CardLanes& a, const CardLanes& b) {
        return ask([&](unsigned i) { return a.part[i] >= b.part[i]; });
    }
};

// There is no NaN: the card has one instruction for each.
#ifdef __CUDA_ARCH__
template <unsigned Count>
__device__ CardLanesOf<Count> min(const CardLanesOf<Count>& a, const CardLanesOf<Count>& b) {
    return CardLanesOf<Count>::each([&](unsigned i) { return Lane(fminf(a.part[i].v, b.part[i].v)); });
}
template <unsigned Count>
__device__ CardLanesOf<Count> max(const CardLanesOf<Count>& a, const CardLanesOf<Count>& b) {
    return CardLanesOf<Count>::each([&](unsigned i) { return Lane(fmaxf(a.part[i].v, b.part[i].v)); });
}
#else
template <unsigned Count>
constexpr CardLanesOf<Count> min(const CardLanesOf<Count>& a, const CardLanesOf<Count>& b) {
    return CardLanesOf<Count>::each([&](unsigned i) { return min(a.part[i], b.part[i]); });
}
template <unsigned Count>
constexpr CardLanesOf<Count> max(const CardLanesOf<Count>& a, const CardLanesOf<Count>& b) {
    return CardLanesOf<Count>::each([&](unsigned i) { return max(a.part[i], b.part[i]); });
}
#endif
template <unsigned Count>
constexpr CardLanesOf<Count> abs(const CardLanesOf<Count>& a) {
    return CardLanesOf<Count>::each([&](unsigned i) { return abs(a.part[i]); });
}

template <unsigned Count>
struct LaneTraits<CardLanesOf<Count>> {
    using CardLanes = CardLanesOf<Count>;
    using Mask = typename CardLanes::Mask;
    using One = LaneTraits<Lane>;
    static constexpr float shift_slack = 32.0F;  // powers of two that sums may grow by before they are scaled

    // The same: nvcc computes what depends on it in this branch alone, not ahead of it in any case.
    static constexpr CardLanes from_here(CardLanes a) {
#ifdef __CUDA_ARCH__
        for (Lane& one : a.part) asm volatile("" : "+f"(one.v));
#endif
        return a;
    }
    static constexpr CardLanes multiply_add(const CardLanes& a, const CardLanes& b, const CardLanes& c) {
        return CardLanes::each([&](unsigned i) { return One::multiply_add(a.part[i], b.part[i], c.part[i]); });
    }
    static constexpr CardLanes nearest(const CardLanes& a) {
        return CardLanes::each([&](unsigned i) { return One::nearest(a.part[i]); });
    }
    static constexpr CardLanes power_of_two(const CardLanes& n) {
        return CardLanes::each([&](unsigned i) { return One::power_of_two(n.part[i]); });
    }
    // What rounds stands in the last places of the sum: from there it goes into the exponent.
    static constexpr CardLanes nearest_with_power(const CardLanes& t, CardLanes& power) {
        return CardLanes::each([&](unsigned i) {
            const Lane shift(12582912.0F);  // 3·2²², as in One::nearest
            const Lane sum = t.part[i] + shift;
            power.part[i] = Lane(std::bit_cast<float>((std::bit_cast<std::uint32_t>(sum.v) << 23) + 0x3f800000U));
            return sum - shift;
        });
    }
    static constexpr CardLanes split(const CardLanes& a, CardLanes& exponent) {
        CardLanes mantissa(0.0F);
        for (unsigned i = 0; i < CardLanes::count; ++i) mantissa.part[i] = One::split(a.part[i], exponent.part[i]);
        return mantissa;
    }
};

using CardLanes = CardLanesOf<4>;

}  // namespace neumann
