// neumann completion: scripts with which shells complete its commands, options and the values of options.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/shell_completion.h"
#include "command.h"

namespace neumann::app {
namespace {

constexpr const char* completion_examples = R"help(Examples:
  neumann completion bash > ~/.local/share/bash-completion/completions/neumann
  neumann completion zsh >> ~/.zshrc
  neumann completion fish > ~/.config/fish/completions/neumann.fish)help";

// CLI11 puts the possible values behind the type: "TEXT:{keep,evaluate}".
std::vector<std::string> values_of(const std::string& type) {
    const std::size_t open = type.find('{');
    const std::size_t close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) return {};
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::vector<CompletedCommand> commands_of(const CLI::App& app, const std::string& path) {
    std::vector<CompletedCommand> all = {{path, app.get_description(), {}, {}}};
    for (const CLI::Option* const option : app.get_options()) {
        if (option->get_positional()) continue;
        CompletedOption one = {
            {}, option->get_description(), values_of(option->get_type_name()), option->get_items_expected() > 0};
        for (const std::string& name : option->get_lnames()) one.names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) one.names.push_back("-" + name);
        all.front().options.push_back(std::move(one));
    }
    for (const CLI::App* const command : app.get_subcommands(nullptr)) {
        all.front().commands.push_back(command->get_name());
        for (CompletedCommand& one :
             commands_of(*command, path.empty() ? command->get_name() : path + " " + command->get_name()))
            all.push_back(std::move(one));
    }
    return all;
}

}  // namespace

void add_completion_command(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("completion", "print a script with which a shell completes commands and options");
    const auto shell = std::make_shared<std::string>();
    command->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command->footer(completion_examples);
    command->callback([shell, &app] {
        const std::vector<CompletedCommand> all = commands_of(app, "");
        fmt::print("{}", *shell == "fish"  ? fish_completion(all)
                         : *shell == "zsh" ? zsh_completion(all)
                                           : bash_completion(all));
    });
}

}  // namespace neumann::app
