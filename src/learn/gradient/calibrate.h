// Calibration of the clause weights of a chosen program.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/evaluate/candidate_graph.h"

namespace neumann {

// Per clause, in (0,1]: those with the least balanced loss on the training examples. Ones if the program gets every
// label right as it is, or if lower weights would get more of them wrong.
std::vector<double> calibrate_weights(const LearningProblem& problem, const std::vector<std::uint32_t>& program,
                                      const Dataset& train, const std::vector<bool>& asked,
                                      const GraphRunOptions& options, double loss_floor);

}  // namespace neumann
