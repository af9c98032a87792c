// A score as it is printed.
#pragma once

#include <string>

#include <neumann/score.h>

namespace neumann::app {

// "accuracy: 97 of 100 labels right (0.9700)" and the like, a line each; empty if nothing is known.
std::string score_text(const Score& score);

}  // namespace neumann::app
