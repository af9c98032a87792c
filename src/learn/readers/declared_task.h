// Task in the files of Popper or Aleph: a program with inferred types, labelled atoms, and the declared bias.
#pragma once

#include <neumann/learn.h>

#include "learn/readers/loaded_task.h"

namespace neumann {

// `progress` may be null; notes go there. The limits hold while the background is resolved. Throws Error for
// errors in the files.
LoadedTask read_declared_task(const LearningTask& task, const search::Limits& limits, LearnProgress* progress);

}  // namespace neumann
