// Subgraph under some atoms, with its random choices, in numbers of its own: isomorphic parts become equal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "worlds/random_choices.h"

namespace neumann {

struct Subgraph {
    ReasoningGraph graph;
    WorldsTask task;  // without the observations
    // Outside numbers of its atoms and clauses, ascending.
    std::vector<std::uint32_t> atoms;
    std::vector<std::uint32_t> clauses;

    std::uint32_t inside(std::uint32_t atom) const;

    // Two with the same key differ in the outside numbers of their atoms alone.
    std::vector<std::uint32_t> key() const;
};

// `atoms` are ascending, and include all their dependencies; `asked` are some of them. `group_of` maps an atom to its
// group of task.exclusive. Takes time linear in its own size.
Subgraph subgraph_of(const ReasoningGraph& graph, const WorldsTask& task, std::span<const OptionalIndex> group_of,
                     std::vector<std::uint32_t> atoms, std::span<const std::uint32_t> asked);

}  // namespace neumann
