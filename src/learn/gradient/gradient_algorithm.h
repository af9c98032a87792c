// Gradient search as a learning algorithm; shared by every other learner that works on graphs of candidates.
#pragma once

#include <memory>

#include "learn/algorithm/algorithm.h"
#include "learn/gradient/lesson_learner.h"

namespace neumann {

std::unique_ptr<LearningAlgorithm> make_gradient_algorithm();

// An algorithm whose learner of a lesson comes from `make`.
using LearnerFactory = std::unique_ptr<LessonLearner> (*)(LessonRequest request);
std::unique_ptr<LearningAlgorithm> make_graph_algorithm(LearnAlgorithmInfo info, LearnerFactory make,
                                                        RoundsOfDepth rounds = RoundsOfDepth::Free);

}  // namespace neumann
