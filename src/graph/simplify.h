// Simplification of a graph: passes that make it smaller without changing the answers to the queries.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace neumann {

// Atoms that are 1 for all weights and inputs: facts marked certain, and heads of instances of certain clauses
// whose bodies consist of such atoms only, none of them negated.
std::vector<bool> certain_atoms(const ReasoningGraph& graph, std::vector<bool> certain_facts,
                                const std::vector<bool>& certain_clauses);

// Atoms that may be more than 0: the given ones, and heads of instances whose literals may be. A negated literal always
// may: its atom is never known to be 1 here.
std::vector<bool> possible_atoms(const ReasoningGraph& graph, std::vector<bool> given);

// Atoms that the asked ones depend on, those included. Nothing below a certain atom is needed, and nothing beside an
// impossible one (`impossible` may be empty: there are none).
std::vector<bool> needed_atoms(const ReasoningGraph& graph, std::vector<bool> asked, const std::vector<bool>& certain,
                               const std::vector<bool>& impossible = {});

struct Simplification {
    std::vector<bool> keep;  // atoms that stay
    // Atoms that are 1: their conjunctions go, bodies leave them out, and conjunctions that negate one are 0 and go.
    std::vector<bool> certain;
    // Both may be empty: there are none.
    std::vector<bool>
        impossible;           // atoms that are 0: so is every conjunction with one, and goes; negated it is left out
    std::vector<bool> given;  // atoms whose value comes from elsewhere: nothing derives them any more
};

// The graph restricted to the kept atoms, which are renumbered in order.
ReasoningGraph simplify(const ReasoningGraph& graph, const Simplification& what);

}  // namespace neumann
