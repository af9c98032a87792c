// Compilation of queries: choices, an order of them, decision diagrams, circuit.
#pragma once

#include "graph/graph.h"
#include "graph/levels.h"
#include "worlds/circuit.h"
#include "worlds/diagram_compiler.h"
#include "worlds/random_choices.h"

namespace neumann {

// Tries another order of choices if one becomes large. Throws DiagramLimit if none fits, and any exception that watch()
// throws.
CompiledWorlds compile_diagrams(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                                const RandomChoices& choices, const CompileLimits& limits);

// The circuit of the diagrams.
Circuit compile_circuit(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                        const CompileLimits& limits);

}  // namespace neumann
