// Limits of time and memory: the options --time-limit and --memory-limit of every command that reads or computes.
#pragma once

#include <CLI/CLI.hpp>

namespace neumann::app {

// Adds the options to the commands that do not have them.
void add_limits(CLI::App& app);

// From the end of parsing to the end of the command. A run that does not end by itself soon after a limit is ended.
void begin_limits(const CLI::App& command);
void end_limits();

// The command watches the time itself from here on, and ends with the best result so far.
void leave_time_to_work();

}  // namespace neumann::app
