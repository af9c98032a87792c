// Learning run for clauses: from files to the learned program and its scores.
#pragma once

#include <atomic>

#include <neumann/learn.h>

namespace neumann {

// As learn() of <neumann/learn.h>. Throws also FileError, LearnError and the exceptions of opening a network.
LearnResult run_clause_learning(const LearningTask& task, const LearnOptions& options, LearnProgress* progress,
                                const std::atomic<bool>* stop);

}  // namespace neumann
