// The part of a graph under some atoms, with what is random in it, in numbers of its own: what is alike becomes equal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "worlds/random_choices.h"

namespace neumann {

struct Subgraph {
    ReasoningGraph graph;
    WorldsTask task;  // without what is observed
    // Outside numbers of its atoms and clauses, ascending.
    std::vector<std::uint32_t> atoms;
    std::vector<std::uint32_t> clauses;

    std::uint32_t inside(std::uint32_t atom) const;

    // Two with the same key differ in the outside numbers of their atoms alone.
    std::vector<std::uint32_t> key() const;
};

// `atoms` are ascending, and have everything with them on which they depend; `asked` are some of them. `group_of` tells
// the group of task.exclusive that an atom belongs to, or WorldsTask::none. Takes time linear in its own size.
Subgraph subgraph_of(const ReasoningGraph& graph, const WorldsTask& task, std::span<const std::uint32_t> group_of,
                     std::vector<std::uint32_t> atoms, std::span<const std::uint32_t> asked);

}  // namespace neumann
