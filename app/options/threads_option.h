// Option --threads, the same for every command: 0 stands for as many as the machine has.
#pragma once

#include <CLI/CLI.hpp>

namespace neumann::app {

CLI::Option* add_threads_option(CLI::App& command, unsigned& threads);

}  // namespace neumann::app
