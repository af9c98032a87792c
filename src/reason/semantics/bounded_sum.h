// Bounded sum: an OR of alternatives that exclude each other, at most 1. Each semantics defines the derivative at the
// bound.
#pragma once

#include <span>

#include "reason/kernels/kernel.h"

namespace neumann::kernels {

template <class V>
class BoundedSum {
public:
    constexpr explicit BoundedSum(V initial) : sum_(initial) {}
    constexpr BoundedSum(float /*gamma*/, V initial) : sum_(initial) {}
    constexpr void add(const float* column, unsigned count) {
        for (unsigned k = 0; k < count; ++k) sum_ += V::load_aligned(column + k * tile_width);
    }
    constexpr V unclamped() const { return sum_; }
    constexpr V result() const { return min(sum_, V(1.0F)); }

private:
    V sum_;
};

}  // namespace neumann::kernels

namespace neumann::formulas {

inline double sum_with(double initial, std::span<const double> values) {
    double sum = initial;
    for (const double y : values) sum += y;
    return sum;
}

}  // namespace neumann::formulas
