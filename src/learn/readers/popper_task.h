// A task in Popper's files: bias.pl, bk.pl and exs.pl of a folder.
#pragma once

#include <filesystem>

#include "learn/readers/task_files.h"

namespace neumann::search {

// Throws TaskError.
ReadTask read_popper_task(const std::filesystem::path& folder, TaskFiles files = {});

}  // namespace neumann::search
