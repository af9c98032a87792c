// Parts of neumann learn in files of their own.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace neumann::app {

void add_clauses_command(CLI::App& learn);
void add_gamma_and_steps(CLI::App& app, double& gamma, std::string& steps);

// Replaces the command lines of earlier releases, which had an option or nothing instead of the subcommand:
// "learn PROGRAM --weights-only" is "learn weights PROGRAM". `notes` gets the current spelling.
std::vector<std::string> with_learn_subcommand(std::vector<std::string> words, std::vector<std::string>& notes);

}  // namespace neumann::app
