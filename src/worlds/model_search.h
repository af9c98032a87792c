// Exhaustive search through the models of a program's clauses: its trace is a circuit. For programs that are
// constraints more than they are derivations: nothing is listed that a constraint forbids.
#pragma once

#include <cstdint>
#include <span>

#include "graph/graph.h"
#include "worlds/circuit.h"
#include "worlds/clause_search.h"
#include "worlds/conditioned_program.h"
#include "worlds/diagram_compiler.h"
#include "worlds/random_choices.h"

namespace neumann {

// Clauses whose models are those of the program; the ways of each choice begin at `first_way`.
ClauseProblem clauses_of(const ConditionedProgram& program, std::span<const std::uint32_t> first_way);

// A search for each query, and one for the evidence. Throws DiagramLimit, also for a program whose uncertain atoms
// depend on themselves, and any exception that limits.watch() throws.
Circuit search_circuit(const ReasoningGraph& graph, const WorldsTask& task, const RandomChoices& choices,
                       const CompileLimits& limits);

}  // namespace neumann
