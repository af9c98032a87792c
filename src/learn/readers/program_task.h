// Reader of tasks with a program and examples in files of their own: JSON Lines or images.
#pragma once

#include <atomic>

#include <neumann/learn.h>

#include "base/diagnostics.h"
#include "learn/readers/loaded_task.h"

namespace neumann {

// Reports errors in the program, and then returns the part that could be read; its sources are set in any case.
// `progress` may be null; warnings go there. Throws LearnError, OptionError, ExampleError, FileError, GroundingLimit
// and the exceptions of opening a network.
LoadedTask read_program_task(const LearningTask& task, Diagnostics& diagnostics, LearnProgress* progress,
                             const std::atomic<bool>* stop);

}  // namespace neumann
