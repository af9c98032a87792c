#include "cli/shell_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace neumann {
namespace {

std::string fish_quoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' || c == '\\' ? fmt::format("\\{}", c) : std::string(1, c);
    return quoted + "'";
}

}  // namespace

std::string bash_completion(const std::vector<CompletedCommand>& all) {
    std::string values;
    std::string words;
    std::string paths;
    for (const CompletedCommand& command : all) {
        std::vector<std::string> names = command.commands;
        for (const CompletedOption& option : command.options) {
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

// By the script of bash, which zsh can run.
std::string zsh_completion(const std::vector<CompletedCommand>& all) {
    return "autoload -U +X bashcompinit && bashcompinit\n" + bash_completion(all);
}

std::string fish_completion(const std::vector<CompletedCommand>& all) {
    std::string text;
    for (const CompletedCommand& command : all) {
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
        for (const CompletedOption& option : command.options) {
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

}  // namespace neumann
