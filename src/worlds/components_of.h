// Strongly connected components of some atoms, in order of dependence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graph/levels.h"

namespace neumann {

// Calls each(members) for every component that has some of the atoms, with these, ascending.
template <class Each>
void for_components_of(std::span<const std::uint32_t> atoms, const GraphLevels& levels, const Each& each) {
    std::vector<std::uint32_t> order(atoms.begin(), atoms.end());
    std::ranges::sort(order, {}, [&](std::uint32_t atom) { return std::pair(levels.component[atom], atom); });
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        const std::uint32_t component = levels.component[order[begin]];
        while (end < order.size() && levels.component[order[end]] == component) ++end;
        each(std::span<const std::uint32_t>(order).subspan(begin, end - begin));
    }
}

}  // namespace neumann
