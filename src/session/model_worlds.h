// Worlds of a model under the distribution semantics: the random choices of its graph, compiled for the queries; and a
// world in words.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <neumann/error.h>
#include <neumann/reasoner.h>
#include <neumann/semantics.h>
#include <neumann/session.h>

#include "session/model_state.h"
#include "worlds/diagram_compiler.h"
#include "worlds/most_probable_world.h"
#include "worlds/random_choices.h"

namespace neumann {

WorldsTask worlds_task(const CompiledProgram& compiled, std::span<const std::uint32_t> asked,
                       std::span<const double> weights);

// What options leave for compiling. watch() throws TimeOver or what require_budget() does.
CompileLimits compile_limits(const ReasonerOptions& options);

// Decision diagrams do not fit into the limits.
class TooHard : public Error {
public:
    explicit TooHard(const std::string& why) : Error(std::string(prefix) + why) {}
    std::string_view why() const { return std::string_view(what()).substr(prefix.size()); }

private:
    static constexpr std::string_view prefix = "error: ";
};

// Both throw TooHard for a program that is.
WorldDiagrams compile_model_worlds(Model::State& model, const ReasonerOptions& options,
                                   std::span<const std::uint32_t> asked, std::span<const double> weights);
// `separate`: every choice has a distribution of its own.
std::shared_ptr<const CompiledTask> compile_model_circuit(Model::State& model, const ReasonerOptions& options,
                                                          std::span<const std::uint32_t> asked,
                                                          std::span<const double> weights, bool separate = false);

// The diagrams with the probabilities of an example; a node for each atom that is asked, whose texts are left out.
WorldCircuit describe_worlds(const CompiledProgram& compiled, const WorldDiagrams& worlds, const Chances& chances);

// Choice by choice: facts as their atoms, instances of clauses as ground clauses.
World describe_world(const CompiledProgram& compiled, const RandomChoices& choices, const ProbableWorld& world,
                     const Chances& chances);

}  // namespace neumann
