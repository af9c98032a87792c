// Registry of learning algorithms.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "learn/algorithm/algorithm.h"

namespace neumann {

// Those of publications last.
const std::vector<std::unique_ptr<LearningAlgorithm>>& all_learning_algorithms();

// The algorithms to try for a lesson, in this order, until one of them finds a program that is right: the one with this
// name, or for "auto" those whose laws fit, the ones that fit the examples best first. Throws LearnError if there is no
// such name.
std::vector<const LearningAlgorithm*> algorithms_for(std::string_view name, bool crisp, bool grounded);

}  // namespace neumann
