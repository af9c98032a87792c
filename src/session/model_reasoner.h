// The reasoner of a model: an engine on its graph or, for exact probabilities, on a circuit that is compiled from it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <neumann/reasoner.h>

#include "reason/reasoner.h"
#include "session/model_state.h"
#include "session/model_worlds.h"

namespace neumann {

// `asked` are the atoms whose values will be read; other semantics know those of all. `weights` of the clauses: those
// of weight 1 are certain, and stay so. Throws Error for evidence that the semantics cannot take, and TooHard for a
// program that is too hard to compile. `kept` gets the
// diagrams, if it is not null and the semantics compiles; `compiled` the circuit, else.
std::unique_ptr<GraphReasoner> make_model_reasoner(Model::State& model, const ReasonerOptions& options,
                                                   std::span<const std::uint32_t> asked,
                                                   std::span<const double> weights,
                                                   std::shared_ptr<const WorldDiagrams>* kept = nullptr,
                                                   std::shared_ptr<const CompiledTask>* compiled = nullptr);

// The default queries of exact probabilities: the atoms of the model's queries, or all that rules derive. Takes the
// model's mutex.
std::vector<std::uint32_t> atoms_to_ask(Model::State& model);

// The circuit of exact probabilities of these, with the model's own weights; throws as above.
std::shared_ptr<const CompiledTask> compile_task(Model::State& model, ReasonerOptions options,
                                                 std::span<const std::uint32_t> asked);

// Bounds in the place of exact probabilities that are too hard: those of many proofs, and of small diagrams.
std::unique_ptr<GraphReasoner> make_bounds_reasoner(Model::State& model, const ReasonerOptions& options,
                                                    std::span<const std::uint32_t> asked,
                                                    std::span<const double> weights);

// Atoms that rules derive.
std::vector<std::uint32_t> derived_atoms(const ReasoningGraph& graph);

}  // namespace neumann
