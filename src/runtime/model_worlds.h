// The worlds of a model under the distribution semantics: what is random in its graph, compiled for what is asked; and
// a world in words.
#pragma once

#include <cstdint>
#include <span>

#include <neumann/reasoner.h>
#include <neumann/session.h>

#include "prove/diagram_compiler.h"
#include "prove/most_probable_world.h"
#include "prove/random_choices.h"
#include "runtime/model_state.h"

namespace neumann {

struct ModelWorlds {
    WorldsTask task;
    RandomChoices choices;
    CompiledWorlds diagrams;
};

WorldsTask worlds_task(const CompiledProgram& compiled, std::span<const std::uint32_t> asked,
                       std::span<const double> weights);

// Throws Error for a program that is too hard.
ModelWorlds compile_model_worlds(Model::State& model, const ReasonerOptions& options,
                                 std::span<const std::uint32_t> asked, std::span<const double> weights);

// Choice by choice: facts as their atoms, instances of clauses as ground clauses.
World describe_world(const CompiledProgram& compiled, const RandomChoices& choices, const ProbableWorld& world,
                     const Chances& chances);

}  // namespace neumann
