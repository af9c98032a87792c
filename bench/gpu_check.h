#pragma once

#include <string>
#include <vector>

namespace neumann {

// How far a GPU is from the double reference, by semantics: on random graphs and on saved ones. Prints a table.
void check_gpu(const std::vector<std::string>& saved_graphs);

}  // namespace neumann
