// Parts of neumann learn that are in files of their own.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace neumann::app {

void add_clauses_command(CLI::App& learn);
void add_gamma_and_steps(CLI::App& app, double& gamma, std::string& steps);

// The words of the command line with the subcommand that earlier releases had as an option, or had not:
// "learn PROGRAM --weights-only" is "learn weights PROGRAM". `notes` gets what to write instead.
std::vector<std::string> with_learn_subcommand(std::vector<std::string> words, std::vector<std::string>& notes);

}  // namespace neumann::app
