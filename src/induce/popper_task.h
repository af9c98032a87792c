// A task in Popper's files: bias.pl, bk.pl and exs.pl of a folder.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "induce/background.h"
#include "induce/task.h"

namespace neumann::induce {

// What is wrong with the files, with place and advice.
class TaskError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct PopperTask {
    Task task;
    std::shared_ptr<Background> background;
    std::vector<std::string> notes;  // what was read but is not kept to, or could not be read
};

// Throws TaskError.
PopperTask read_popper_task(const std::filesystem::path& folder);

}  // namespace neumann::induce
