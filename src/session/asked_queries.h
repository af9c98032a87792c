// Queries to a model: from texts to atoms of its graph.
#pragma once

#include <string>
#include <vector>

#include "examples/bind_examples.h"
#include "session/model_state.h"

namespace neumann {

// `option` stands for the texts' place in messages. Throws Error; also for a saved graph that was pruned for other
// queries. With the mutex held.
std::vector<AtomNames::QueryAtoms> asked_queries(const std::vector<std::string>& texts, const char* option,
                                                 Model::State& model);

// The queries that the model was compiled for. With the mutex held.
std::vector<AtomNames::QueryAtoms> own_queries(Model::State& model, const char* option);

// A binder to the names of a model, borrowed, which others may be asking at the same time.
ExampleBinder shared_binder(Model::State& model);

}  // namespace neumann
