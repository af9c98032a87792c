// neumann train through-logic: an attribute without labels of its own, learned from labels of whole images through a
// program.
#pragma once

#include <CLI/CLI.hpp>

namespace neumann::app {

void add_train_through_logic(CLI::App& train);

}  // namespace neumann::app
