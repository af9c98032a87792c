#include "base/own_place.h"

#include <system_error>

namespace neumann {

std::filesystem::path folder_of_command() {
    std::error_code error;
    const std::filesystem::path command = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::filesystem::path() : command.parent_path();
}

}  // namespace neumann
