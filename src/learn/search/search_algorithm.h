// Exhaustive search as a learning algorithm: every small program on the atoms that hold in the examples.
#pragma once

#include <memory>

#include "learn/algorithm/algorithm.h"

namespace neumann {

std::unique_ptr<LearningAlgorithm> make_search_algorithm();

}  // namespace neumann
