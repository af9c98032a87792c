// Deepening by validation: clauses of one goal, of two, and so on. Training labels choose the program of each depth;
// validation labels decide alone at which depth to stop.
#pragma once

#include "learn/algorithm/algorithm.h"

namespace neumann {

// Whether the lesson is learned depth by depth: there are validation examples, and the algorithm takes part.
bool deepens(const LearningAlgorithm& algorithm, const LessonContext& context);

// The program of the first depth at which enough validation labels are right; if there is none, the one with the most,
// of these the first. Without a given share, enough is the best accuracy of a depth less its standard error. Its
// verdict is about training and validation labels.
LessonResult learn_by_depth(const LearningAlgorithm& algorithm, LessonContext& context);

// An accuracy less its standard error, √(p·(1−p)/n).
double within_error(double accuracy, std::size_t labels);

}  // namespace neumann
