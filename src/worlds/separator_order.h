// Order of decisions by separators: a tree decomposition of a graph, and its centroids from the whole to the parts.
// What is decided early leaves components of half the size.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace neumann {

struct SeparatorOrder {
    std::vector<double>
        depth;                // per vertex: 0 for those of the first separator, up to 1; empty: the graph is too dense
    std::uint32_t width = 0;  // of the decomposition: the vertices of its largest bag
};

// Vertices of an edge set are neighbours of each other.
SeparatorOrder separator_order(std::uint32_t vertices, std::span<const std::vector<std::uint32_t>> edge_sets,
                               const std::function<void()>& watch);

}  // namespace neumann
