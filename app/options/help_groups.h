// Groups of options in the help of commands: common ones first, rare ones only in --help-all.
#pragma once

#include <CLI/CLI.hpp>

namespace neumann::app {

// For a run that prints help alone, once all options are there: a hidden option has no name any more. `all`: rare
// options are listed, too.
void arrange_help(CLI::App& app, bool all);

}  // namespace neumann::app
