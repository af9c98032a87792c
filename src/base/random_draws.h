// Random draws beyond single numbers: a point of an interval, a shuffle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/rng.h"

namespace neumann {

inline double between(double least, double most, Rng& rng) { return least + (most - least) * rng.uniform(); }

template <class T>
void shuffle_in_place(std::vector<T>& items, Rng& rng) {
    for (std::size_t left = items.size(); left > 1; --left)
        std::swap(items[left - 1], items[rng.below(static_cast<std::uint32_t>(left))]);
}

}  // namespace neumann
