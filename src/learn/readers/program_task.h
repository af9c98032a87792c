// Task of a program and examples in files of their own: JSON Lines or images.
#pragma once

#include <atomic>

#include <neumann/learn.h>

#include "base/diagnostics.h"
#include "learn/readers/loaded_task.h"

namespace neumann {

// Reports what is wrong with the program, and then returns what could be read; its sources are set in any case.
// `progress` may be null; warnings go there. Throws LearnError, OptionError, ExampleError, FileError, GroundingLimit
// and what opening a network throws.
LoadedTask read_program_task(const LearningTask& task, Diagnostics& diagnostics, LearnProgress* progress,
                             const std::atomic<bool>* stop);

}  // namespace neumann
