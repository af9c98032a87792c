// neumann completion: scripts with which shells complete its commands, options and the values of options.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "command.h"

namespace neumann::app {
namespace {

constexpr const char* completion_examples = R"help(Examples:
  neumann completion bash > ~/.local/share/bash-completion/completions/neumann
  neumann completion zsh >> ~/.zshrc
  neumann completion fish > ~/.config/fish/completions/neumann.fish)help";

struct Option {
    std::vector<std::string> names;  // --json, -q
    std::string about;
    std::vector<std::string> values;  // if there are only some
    bool takes_value = false;
};

struct Command {
    std::string path;  // "train slots"; empty: neumann itself
    std::string about;
    std::vector<std::string> commands;  // that it consists of
    std::vector<Option> options;
};

// Behind the type CLI11 puts what may be given: "TEXT:{keep,evaluate}".
std::vector<std::string> values_of(const std::string& type) {
    const std::size_t open = type.find('{');
    const std::size_t close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) return {};
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::vector<Command> commands_of(const CLI::App& app, const std::string& path) {
    std::vector<Command> all = {{path, app.get_description(), {}, {}}};
    for (const CLI::Option* const option : app.get_options()) {
        if (option->get_positional()) continue;
        Option one = {
            {}, option->get_description(), values_of(option->get_type_name()), option->get_items_expected() > 0};
        for (const std::string& name : option->get_lnames()) one.names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) one.names.push_back("-" + name);
        all.front().options.push_back(std::move(one));
    }
    for (const CLI::App* const command : app.get_subcommands(nullptr)) {
        all.front().commands.push_back(command->get_name());
        for (Command& one :
             commands_of(*command, path.empty() ? command->get_name() : path + " " + command->get_name()))
            all.push_back(std::move(one));
    }
    return all;
}

std::string bash_script(const std::vector<Command>& all) {
    std::string values;
    std::string words;
    std::string paths;
    for (const Command& command : all) {
        std::vector<std::string> names = command.commands;
        for (const Option& option : command.options) {
            names.insert(names.end(), option.names.begin(), option.names.end());
            for (const std::string& name : option.names) {
                if (!option.values.empty())
                    values += fmt::format("        '{}:{}') words='{}' ;;\n", command.path, name,
                                          fmt::join(option.values, " "));
            }
        }
        words += fmt::format("        '{}') words='{}' ;;\n", command.path, fmt::join(names, " "));
        if (!command.path.empty()) paths += fmt::format("{}'{}'", paths.empty() ? "" : "|", command.path);
    }
    return fmt::format(R"sh(_neumann() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} path='' word words=''
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "${{path:+$path }}$word" in
        {}) path="${{path:+$path }}$word" ;;
        esac
    done
    case "$path:$before" in
{}    esac
    if [[ -z $words && ( $current == -* || -z $path || $path == train ) ]]; then
        case "$path" in
{}        esac
    fi
    if [[ -n $words ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    else
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}}
complete -o filenames -F _neumann neumann
)sh",
                       paths, values, words);
}

std::string fish_quoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' || c == '\\' ? fmt::format("\\{}", c) : std::string(1, c);
    return quoted + "'";
}

std::string fish_script(const std::vector<Command>& all) {
    std::string text;
    for (const Command& command : all) {
        const std::string last = command.path.substr(command.path.rfind(' ') + 1);
        const std::string when =
            last.empty() ? "__fish_use_subcommand" : fmt::format("__fish_seen_subcommand_from {}", last);
        if (!last.empty()) {
            const std::size_t space = command.path.rfind(' ');
            text += fmt::format("complete -c neumann -n '{}' -a {} -d {}\n",
                                space == std::string::npos
                                    ? "__fish_use_subcommand"
                                    : fmt::format("__fish_seen_subcommand_from {}", command.path.substr(0, space)),
                                last, fish_quoted(command.about));
        }
        for (const Option& option : command.options) {
            text += fmt::format("complete -c neumann -n '{}'", when);
            for (const std::string& name : option.names)
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (option.takes_value) text += " -r";
            if (!option.values.empty()) text += fmt::format(" -f -a '{}'", fmt::join(option.values, " "));
            text += fmt::format(" -d {}\n", fish_quoted(option.about));
        }
    }
    return text;
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
        const std::vector<Command> all = commands_of(app, "");
        if (*shell == "zsh") fmt::print("autoload -U +X bashcompinit && bashcompinit\n");
        fmt::print("{}", *shell == "fish" ? fish_script(all) : bash_script(all));
    });
}

}  // namespace neumann::app
