// A learning run, from files to the learned program and how good it is.
#pragma once

#include <atomic>
#include <filesystem>

#include <neumann/learn.h>

namespace neumann {

// As learn() of <neumann/learn.h>. Throws also FileError, LearnError and what opening a network throws.
LearnResult run_learning(const std::filesystem::path& program, const LearnOptions& options, LearnProgress* progress,
                         const std::atomic<bool>* stop);

}  // namespace neumann
