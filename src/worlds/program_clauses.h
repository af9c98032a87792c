// Weighted CNF of a program: its models are those of the clauses that define atoms, with the probabilities of choices
// as weights. Circuits of the same program as decomposable negation normal form, over the same variables.
#pragma once

#include <functional>
#include <string>

#include "graph/graph.h"
#include "worlds/circuit.h"
#include "worlds/random_choices.h"
#include "worlds/weighted_cnf.h"

namespace neumann {

// With `name` for atoms, comments tell which variable each choice and each query is. The weighted count is the
// probability of the evidence or, if a single atom is asked, of both. Throws DiagramLimit for a program whose uncertain
// atoms depend on themselves.
std::string program_as_cnf(const ReasoningGraph& graph, const WorldsTask& task, const Chances& chances,
                           const std::function<std::string(std::uint32_t)>& name);

// Circuit of the only atom that is asked together with the evidence, in the format of c2d and d4: "nnf NODES EDGES
// VARIABLES", then a line for each node. Without a query, that of the evidence.
std::string circuit_as_nnf(const ReasoningGraph& graph, const WorldsTask& task, const Circuit& circuit);

}  // namespace neumann
