// Reader of tasks in Popper's files: bias.pl, bk.pl and exs.pl of a folder.
#pragma once

#include <filesystem>
#include <memory>

#include "learn/readers/task_files.h"

namespace neumann::search {

struct PopperOptions {
    bool ignore_constraints = false;  // rules of the bias that are not understood are left out, with a note
};

// `work`: that of the task, reading included. Throws TaskError.
ReadTask read_popper_task(const std::filesystem::path& folder, std::shared_ptr<Work> work, TaskFiles files = {},
                          const PopperOptions& options = {});

// Labels in the form of exs.pl, for a task that has been read; notes are added to it.
ReadLabels read_popper_labels(ReadTask& task, const std::filesystem::path& file, TaskFiles files = {});

// The same of a folder with bk.pl and exs.pl: a background of its own, and labels in its terms.
ReadLabels read_popper_world(const ReadTask& task, const std::filesystem::path& folder,
                             std::shared_ptr<Background>& background);

}  // namespace neumann::search
