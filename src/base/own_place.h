// Folder of the running command, from which installed files are found.
#pragma once

#include <filesystem>

namespace neumann {

// The folder of the executable, links resolved; empty if the system does not provide it.
std::filesystem::path folder_of_command();

}  // namespace neumann
