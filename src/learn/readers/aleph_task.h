// A task in Aleph's files: background with modes, determinations and settings, positive and negative examples.
#pragma once

#include <filesystem>

#include "learn/readers/task_files.h"

namespace neumann::search {

// STEM.b, STEM.f and STEM.n, of which the last may be missing; or one file, STEM or STEM.pl, with sections from
// ':- begin_bg.' on. Throws TaskError.
ReadTask read_aleph_task(const std::filesystem::path& stem, TaskFiles files = {});

}  // namespace neumann::search
