// Exact probabilities of a model for other tools: its weighted clauses, and its circuit.
#pragma once

#include <string>

#include <neumann/reasoner.h>

#include "session/model_state.h"

namespace neumann {

// Of the model's queries. Both throw TooHard; the circuit is of one query at most.
std::string model_as_cnf(Model::State& model);
std::string model_as_nnf(Model::State& model, const ReasonerOptions& options);

}  // namespace neumann
