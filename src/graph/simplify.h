// Passes that make a graph smaller without changing the answers that are asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace neumann {

// Atoms that are 1 whatever the weights and inputs: facts marked certain, and heads of instances of certain clauses
// whose bodies consist of such atoms only.
std::vector<bool> certain_atoms(const ReasoningGraph& graph, std::vector<bool> certain_facts,
                                const std::vector<bool>& certain_clauses);

// Atoms that the asked ones depend on, those included. Nothing below a certain atom is needed, and nothing beside an
// impossible one (`impossible` may be empty: there are none).
std::vector<bool> needed_atoms(const ReasoningGraph& graph, std::vector<bool> asked, const std::vector<bool>& certain,
                               const std::vector<bool>& impossible = {});

struct Simplification {
    std::vector<bool> keep;     // atoms that stay
    std::vector<bool> certain;  // atoms that are 1: nothing derives them any more, and bodies leave them out
    // Both may be empty: there are none.
    std::vector<bool> impossible;  // atoms that are 0: so is every conjunction with one, and goes
    std::vector<bool> given;       // atoms whose value comes from elsewhere: nothing derives them any more
};

// The graph restricted to the kept atoms, which are renumbered in order.
ReasoningGraph simplify(const ReasoningGraph& graph, const Simplification& what);

}  // namespace neumann
