// Learning the weights of a given program, from files to the program with its learned numbers.
#pragma once

#include <atomic>
#include <filesystem>

#include <neumann/learn_weights.h>

namespace neumann {

// As learn_weights() of <neumann/learn_weights.h>. Throws also FileError, LearnError and ReasonError.
WeightLearningResult run_weight_learning(const std::filesystem::path& program, const WeightLearningOptions& options,
                                         const WeightLearningProgress& progress, const std::atomic<bool>* stop);

}  // namespace neumann
