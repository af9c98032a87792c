// Rules for options that hold for every command: how numbers are written, and that no option is without effect.
#pragma once

#include <CLI/CLI.hpp>

namespace neumann::app {

// For the command and its subcommands, once all options are there: a number is written in plain decimal digits, so that
// nan, inf, 0x10, +1 and -1 are refused wherever a number is expected.
void require_plain_numbers(CLI::App& app);

// Throws UsageError for an option of a parsed command without effect, because another one is missing or excludes it.
void refuse_idle_options(const CLI::App& command);

}  // namespace neumann::app
