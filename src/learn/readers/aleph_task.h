// Reader of tasks in Aleph's files: background with modes, determinations and settings, positive and negative examples.
#pragma once

#include <filesystem>
#include <memory>

#include "learn/readers/task_files.h"

namespace neumann::search {

// STEM.b, STEM.f and STEM.n, of which the last may be missing; or one file, STEM or STEM.pl, with sections from
// ':- begin_bg.' on. `work`: that of the task, reading included. Throws TaskError.
ReadTask read_aleph_task(const std::filesystem::path& stem, std::shared_ptr<Work> work, TaskFiles files = {},
                         bool ignore_directives = false);

// Labels of another task's files, STEM.f and STEM.n or sections of one file, for a task that has been read.
ReadLabels read_aleph_labels(ReadTask& task, const std::filesystem::path& stem, TaskFiles files = {});

}  // namespace neumann::search
