// Folders of the weights that come with the project.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace neumann {

// In this order: $NEUMANN_WEIGHTS, share/neumann/weights beside the folder of the command, weights/ of the source tree
// that it was built from.
std::vector<std::filesystem::path> weights_folders();

// The file NAME.safetensors in the first of them that has it. Throws PerceptionError with the list of folders.
std::filesystem::path find_weights(std::string_view name);

// The file of weights that --network means: the name of a network that comes with the project, or a file. Throws
// PerceptionError where it is neither.
std::filesystem::path weights_of(const std::string& name_or_file);

}  // namespace neumann
