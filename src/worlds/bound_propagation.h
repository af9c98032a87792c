// Bounds of the probabilities of atoms, propagated through the graph as numbers: they cost one pass, or on a cycle as
// many as it has atoms, however entangled the choices are.
//
// Events that only ever need choices to come out, each by itself, are positively correlated (Harris): the product
// bounds their conjunction from below, and one minus the product of the complements their disjunction from above.
// Where something is negated or excludes each other nothing is known of correlations: there it is Fréchet's bounds. A
// choice that nothing but one conjunction needs is independent of the rest of it.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "graph/levels.h"
#include "reason/pass.h"
#include "worlds/random_choices.h"

namespace neumann {

// Per atom; of those that nothing asked depends on nothing is known.
std::vector<ValueBounds> propagate_bounds(const ReasoningGraph& graph, const GraphLevels& levels,
                                          const RandomChoices& choices, const Chances& chances);

}  // namespace neumann
