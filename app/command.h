// Common parts of the subcommands: their registration and their exits.
#pragma once

#include <stdexcept>

#include <CLI/CLI.hpp>

namespace neumann::app {

inline constexpr int exit_ok = 0;
inline constexpr int exit_bad_input = 2;

// Ends the command; the error has been printed already.
struct CommandFailed {
    int exit_code = exit_bad_input;
};

// A wrong use of the command, shown to the user unchanged.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Each subcommand is one file that adds itself to the command line; main.cpp lists them.
void add_check_command(CLI::App& app);
void add_convert_command(CLI::App& app);
void add_ground_command(CLI::App& app);
void add_graph_command(CLI::App& app);
void add_reason_command(CLI::App& app);
void add_explain_command(CLI::App& app);
void add_learn_command(CLI::App& app);
void add_generate_command(CLI::App& app);
void add_scene_command(CLI::App& app);
void add_perceive_command(CLI::App& app);
void add_train_command(CLI::App& app);
void add_page_command(CLI::App& app);
void add_repl_command(CLI::App& app);
void add_completion_command(CLI::App& app);

}  // namespace neumann::app
