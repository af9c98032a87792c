#include "options/help_groups.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace neumann::app {
namespace {

constexpr std::string_view ungrouped = "Options";  // CLI11's name for what has no group

constexpr std::array<std::string_view, 9> limit_options = {"--time-limit", "--memory-limit", "--threads",
                                                           "--work-limit", "--device",       "--engine",
                                                           "--samples",    "--seed",         "--k"};
constexpr std::array<std::string_view, 13> output_options = {
    "--json",   "--top",   "--all-answers", "--history", "--history-picture", "--gradients", "--output",
    "--format", "--quiet", "--html",        "--svg",     "--answers",         "--out"};
constexpr std::array<std::string_view, 16> rare_options = {
    "--batch",    "--positive", "--kernel",     "--gamma",       "--weights",    "--mode",    "--facts",   "--demand",
    "--distinct", "--repeats",  "--term-depth", "--max-numbers", "--max-errors", "--no-warn", "--compare", "--method"};

// Where the first line says enough: another command's help has the rest.
void shorten(const CLI::App& command, CLI::Option& option) {
    if (option.get_name() != "--semantics" || command.get_name() == "reason") return;
    const std::string text = option.get_description();
    if (const std::size_t line = text.find('\n'); line != std::string::npos)
        option.description(text.substr(0, line) + ": neumann reason --help lists them");
}

bool among(const auto& names, const std::string& name) { return std::ranges::find(names, name) != names.end(); }

}  // namespace

void arrange_help(CLI::App& app, bool all) {
    for (CLI::App* const command : app.get_subcommands(nullptr)) arrange_help(*command, all);
    std::size_t hidden = 0;
    for (CLI::Option* const option : app.get_options()) {
        if (!all) shorten(app, *option);
        if (option->get_positional() || option->get_group() != ungrouped) continue;
        const std::string name = option->get_name();
        const bool is_flag = option->get_items_expected_max() == 0;  // check --demand is another option
        if (among(rare_options, name) && !is_flag) {
            option->group(all ? "Rare options" : "");
            ++hidden;
        } else if (among(output_options, name)) {
            option->group("Output");
        } else if (among(limit_options, name)) {
            option->group("Work and limits");
        }
    }
    if (hidden > 0 && !all)
        app.get_help_ptr()->description(fmt::format("print this help; --help-all lists {} more options", hidden));
    else
        app.get_help_ptr()->description("print this help");
}

}  // namespace neumann::app
