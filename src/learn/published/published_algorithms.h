// Published learning algorithms, for comparison: descriptors of the component's algorithms.
#pragma once

#include <memory>
#include <vector>

#include "learn/algorithm/algorithm.h"

namespace neumann {

std::vector<std::unique_ptr<LearningAlgorithm>> make_published_algorithms();

}  // namespace neumann
