// Option --seed, the same for every command with random choices.
#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

namespace neumann::app {

// Refuses an invalid seed (-1, 1.5, numbers that do not fit) instead of converting it to another number.
void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& about);

}  // namespace neumann::app
