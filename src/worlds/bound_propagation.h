// Bound propagation: bounds of the probabilities of atoms, propagated through the graph as numbers. They cost one pass,
// or on a cycle as many as it has atoms, however entangled the choices are.
//
// Monotone events over independent choices are positively correlated (Harris): the product bounds their conjunction
// from below, and one minus the product of the complements their disjunction from above. With negation or exclusive
// outcomes the correlation is unknown: there Fréchet's bounds apply. A choice that only one conjunction needs is
// independent of the rest of it.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "graph/levels.h"
#include "reason/pass.h"
#include "worlds/random_choices.h"

namespace neumann {

// Per atom; [0, 1] for atoms that no query depends on.
std::vector<ValueBounds> propagate_bounds(const ReasoningGraph& graph, const GraphLevels& levels,
                                          const RandomChoices& choices, const Chances& chances);

}  // namespace neumann
