#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands/learn_commands.h"

namespace neumann::app {
namespace {

// Options of the release before that became subcommands; they go with the next one.
constexpr std::array old_goals = {std::pair("--weights-only", "weights"), std::pair("--parameters", "probabilities")};

}  // namespace

std::vector<std::string> with_learn_subcommand(std::vector<std::string> words, std::vector<std::string>& notes) {
    if (words.empty() || words[0] != "learn") return words;
    const std::string next = words.size() < 2 ? "" : words[1];
    if (next == "--help" || next == "-h" || next == "clauses" || next == "weights" || next == "probabilities")
        return words;
    std::string goal = "clauses";
    for (const auto& [option, name] : old_goals) {
        if (std::erase(words, option) == 0) continue;
        notes.push_back(fmt::format("note: {} is now a command: neumann learn {} PROGRAM", option, name));
        goal = name;
        break;
    }
    words.insert(words.begin() + 1, goal);
    return words;
}

}  // namespace neumann::app
