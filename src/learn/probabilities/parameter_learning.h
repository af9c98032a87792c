// Learning of probabilities: from files to the program with its learned numbers.
#pragma once

#include <atomic>

#include <neumann/learn.h>

namespace neumann {

// As learn() of <neumann/learn.h>; `progress` may be null. Throws also FileError and LearnError.
LearnResult run_probability_learning(const LearningTask& task, const LearnOptions& options, LearnProgress* progress,
                                     const std::atomic<bool>* stop);

}  // namespace neumann
