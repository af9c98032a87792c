// Shell completion scripts of a command: its subcommands, options, and the values of options.
#pragma once

#include <string>
#include <vector>

namespace neumann {

struct CompletedOption {
    std::vector<std::string> names;  // --json, -q
    std::string about;
    std::vector<std::string> values;  // if there are only some
    bool takes_value = false;
};

struct CompletedCommand {
    std::string path;  // "train slots"; empty: neumann itself
    std::string about;
    std::vector<std::string> commands;  // that it consists of
    std::vector<CompletedOption> options;
};

// Of neumann: all commands, the whole first.
std::string bash_completion(const std::vector<CompletedCommand>& all);
std::string zsh_completion(const std::vector<CompletedCommand>& all);
std::string fish_completion(const std::vector<CompletedCommand>& all);

}  // namespace neumann
