// Where the running command is, and with it what was installed beside it.
#pragma once

#include <filesystem>

namespace neumann {

// The folder of the executable, links resolved; empty where the system does not tell.
std::filesystem::path folder_of_command();

}  // namespace neumann
