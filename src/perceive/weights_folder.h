// Where the weights that come with the project are.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace neumann {

// In this order: $NEUMANN_WEIGHTS, share/neumann/weights beside the folder of the command, weights/ of the source tree
// that it was built from.
std::vector<std::filesystem::path> weights_folders();

// The file NAME.safetensors in the first of them that has it. Throws PerceptionError, saying where it was looked for.
std::filesystem::path find_weights(std::string_view name);

}  // namespace neumann
