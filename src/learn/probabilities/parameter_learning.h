// Learning parameters, from files to the program with its learned numbers.
#pragma once

#include <atomic>
#include <filesystem>

#include <neumann/learn_parameters.h>

namespace neumann {

// As learn_parameters() of <neumann/learn_parameters.h>. Throws also FileError and LearnError.
ParameterResult run_parameter_learning(const std::filesystem::path& program, const ParameterOptions& options,
                                       const ParameterProgress& progress, const std::atomic<bool>* stop);

}  // namespace neumann
