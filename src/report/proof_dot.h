// A proof as a Graphviz drawing.
#pragma once

#include <string>

#include "explain/explanation.h"

namespace neumann {

// All proofs of an explanation in one graph, or its nearest miss if there are none: conclusions above their
// premises. An atom is there once, however many proofs use it.
std::string proof_dot(const Explanation& explanation);

}  // namespace neumann
