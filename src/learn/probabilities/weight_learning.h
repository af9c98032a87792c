// Learning of weights: from files to the program with its learned numbers.
#pragma once

#include <atomic>

#include <neumann/learn.h>

namespace neumann {

// As learn() of <neumann/learn.h>; `progress` may be null. Throws also FileError, LearnError and ReasonError.
LearnResult run_weight_learning(const LearningTask& task, const LearnOptions& options, LearnProgress* progress,
                                const std::atomic<bool>* stop);

}  // namespace neumann
