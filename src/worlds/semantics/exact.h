// Exact reasoning: the probabilities of the distribution semantics, by running a circuit.
// Atoms, clauses, weights and gradients are those of the program's graph. Where there is evidence, values are
// conditional probabilities.
#pragma once

#include <memory>
#include <string_view>

#include "reason/reasoner.h"
#include "worlds/circuit.h"
#include "worlds/random_choices.h"

namespace neumann {

// `options` select and configure the circuit runner. Only the task's queries have values. Throws ReasonError for an
// unknown engine, one that cannot run circuits, and evidence that cannot be true.
std::unique_ptr<GraphReasoner> make_exact_reasoner(std::string_view engine, ReasoningGraph graph,
                                                   const GraphLevels& levels,
                                                   std::shared_ptr<const CompiledTask> compiled,
                                                   const ReasonOptions& options);

}  // namespace neumann
