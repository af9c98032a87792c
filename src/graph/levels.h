// Evaluation order of atoms: components of mutually dependent atoms, and levels of components.
#pragma once

#include <cstdint>
#include <vector>

#include "base/shared_array.h"
#include "graph/graph.h"

namespace neumann {

// Level 0 are atoms that nothing derives; an atom's level is one more than the largest level outside its component that
// it depends on. Within an acyclic part, an atom has its final value after as many steps as its level.
struct GraphLevels {
    SharedArray<std::uint32_t>
        component;                     // per atom; a component's number exceeds those of the components it depends on
    SharedArray<std::uint32_t> level;  // per atom
    SharedArray<std::uint32_t> level_begin;  // levels + 1
    SharedArray<std::uint32_t> level_atoms;  // atoms by level, ascending within one
    SharedArray<std::uint8_t> cyclic;        // per component: whether its atoms depend on themselves

    std::uint32_t level_count() const {
        return level_begin.empty() ? 0 : static_cast<std::uint32_t>(level_begin.size() - 1);
    }
    std::uint32_t component_count() const { return static_cast<std::uint32_t>(cyclic.size()); }
    std::uint32_t cyclic_component_count() const;
};

GraphLevels find_levels(const ReasoningGraph& graph);

// Per atom: the largest number of negated literals on a path down from it; all 0 in a monotone graph. Atoms of one
// stratum need the negation of lower ones only. Throws std::invalid_argument if an atom depends on its own negation.
std::vector<std::uint32_t> find_strata(const ReasoningGraph& graph, const GraphLevels& levels);

}  // namespace neumann
