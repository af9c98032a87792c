// Sums over rules that exclude each other: circuits of programs whose graph is one already. The rules of an atom
// exclude each other, and the goals of a rule depend on different choices: chains of sums, counters, Markov models,
// grammars.
#pragma once

#include "graph/graph.h"
#include "graph/levels.h"
#include "worlds/circuit.h"
#include "worlds/diagram_compiler.h"
#include "worlds/random_choices.h"

namespace neumann {

// A node for each atom, a term for each of its conjunctions, in time linear in the graph. Throws DiagramLimit for a
// program that is not found to be of this form, and any exception that limits.watch() throws.
Circuit sum_circuit(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                    const RandomChoices& choices, const CompileLimits& limits);

}  // namespace neumann
