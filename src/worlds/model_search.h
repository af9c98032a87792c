// Exhaustive search with unit propagation, components and a cache (as sharpSAT counts models): its trace is a circuit.
// For programs that are constraints more than they are derivations: nothing is listed that a constraint forbids.
#pragma once

#include "graph/graph.h"
#include "worlds/circuit.h"
#include "worlds/diagram_compiler.h"
#include "worlds/random_choices.h"

namespace neumann {

// A search for each query, and one for the evidence. Throws DiagramLimit, also for a program whose uncertain atoms
// depend on themselves, and any exception that limits.watch() throws.
Circuit search_circuit(const ReasoningGraph& graph, const WorldsTask& task, const RandomChoices& choices,
                       const CompileLimits& limits);

}  // namespace neumann
