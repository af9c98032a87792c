// neumann train through-logic: an attribute that nobody labels, learned from labels of whole pictures by way of a
// program.
#pragma once

#include <CLI/CLI.hpp>

namespace neumann::app {

void add_train_through_logic(CLI::App& train);

}  // namespace neumann::app
