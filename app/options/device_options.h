// Options of every command that runs a network.
#pragma once

#include <CLI/CLI.hpp>

#include <neumann/perceive.h>

namespace neumann::app {

void add_device_options(CLI::App& command, DeviceOptions& device);

}  // namespace neumann::app
