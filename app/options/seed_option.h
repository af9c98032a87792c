// The option --seed, the same for every command that leaves something to chance.
#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

namespace neumann::app {

// Refuses what is no seed (-1, 1.5, numbers that do not fit) instead of making another number of it.
void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& about);

}  // namespace neumann::app
