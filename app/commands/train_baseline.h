// neumann train baseline: networks without logic, for comparison.
#pragma once

#include <CLI/CLI.hpp>

namespace neumann::app {

void add_train_baseline(CLI::App& train);

}  // namespace neumann::app
