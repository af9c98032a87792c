#include "options/option_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "command.h"
#include "options/reasoning_options.h"

namespace neumann::app {
namespace {

// The names by which help texts call numbers.
constexpr std::array<std::string_view, 12> number_types = {"N", "K", "M", "H", "W",       "P",
                                                           "Q", "G", "R", "S", "SECONDS", "W,..."};
constexpr std::size_t most_digits = 18;  // of a whole number: more may not fit into 64 bits

std::string number_problem(const std::string& text) {
    if (text.starts_with('-')) return fmt::format("expected a number from 0 on, not '{}'", text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool begins_with_digit = !text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
    if (!begins_with_digit || error == std::errc::invalid_argument || end != text.data() + text.size())
        return fmt::format("expected a number, written in decimal digits, not '{}'", text);
    const bool whole = text.find_first_not_of("0123456789") == std::string::npos;
    if (error == std::errc::result_out_of_range || !std::isfinite(value) || (whole && text.size() > most_digits))
        return fmt::format("'{}' is too large or too small a number", text);
    return {};
}

// An option without effect unless one of others is given. Commands are named by all their words.
struct Need {
    std::string_view command;
    std::string_view option;
    std::vector<std::string_view> needs;
};

const std::vector<Need>& needs() {
    static const std::vector<Need> all = {
        {"generate", "--size", {"--images"}},
        {"generate", "--quality", {"--images"}},
        {"scene show", "--width", {"--output"}},
        {"scene show", "--height", {"--output"}},
        {"reason", "--threshold", {"--examples", "--images"}},
        {"reason", "--positive", {"--examples", "--images"}},
        {"reason", "--batch", {"--examples", "--images"}},
        {"reason", "--network", {"--images"}},
        {"reason", "--picture-batch", {"--images"}},
        {"reason", "--cache", {"--images"}},
        {"reason", "--no-cache", {"--images"}},
        {"explain", "--batch", {"--examples", "--images"}},
        {"explain", "--limit", {"--examples", "--images"}},
        {"explain", "--network", {"--images"}},
        {"explain", "--picture-batch", {"--images"}},
        {"explain", "--cache", {"--images"}},
        {"explain", "--no-cache", {"--images"}},
    };
    return all;
}

// An option without effect if another one has one of these values; "": if that one is given at all.
struct Clash {
    std::string_view command;
    std::string_view option;
    std::string_view other;
    std::vector<std::string_view> values;
    std::string_view why;
};

std::vector<std::string_view> engines_without_kernels() {
    std::vector<std::string_view> names;
    for (const EngineSummary& one : known_engines())
        if (!one.takes_kernel) names.push_back(one.name);
    return names;
}

const std::vector<Clash>& clashes() {
    static const std::vector<Clash> all = {
        {"check", "--print", "--json", {""}, "JSON has the diagnostics only"},
        {"reason", "--kernel", "--engine", engines_without_kernels(), "kernels belong to --engine graph"},
        {"explain", "--no-words", "--json", {""}, "JSON has everything"},
        {"explain", "--near", "--no-why-not", {""}, "nothing is said of what is missing"},
        {"train detector", "--render", "--kind", {"flat"}, "flat figures are not traced; add --kind solid"},
        {"train baseline", "--size", "MODEL", {"mlp", "set"}, "it is the size of the cnn"},
        {"train baseline", "--network", "MODEL", {"cnn"}, "a cnn sees pixels, not objects"},
        {"train baseline", "--cache", "MODEL", {"cnn"}, "a cnn sees pixels, not objects"},
        {"train baseline", "--explanations", "MODEL", {"cnn", "mlp"}, "explanations are for a set of objects"},
        {"train baseline", "--precision", "MODEL", {"mlp", "set"}, "only a cnn has something to gain"},
    };
    return all;
}

std::string words_of(const CLI::App& command) {
    const CLI::App* const parent = command.get_parent();
    if (parent == nullptr) return {};
    const std::string before = words_of(*parent);
    return before.empty() ? command.get_name() : before + " " + command.get_name();
}

const CLI::Option* find(const CLI::App& command, std::string_view name) {
    return command.get_option_no_throw(std::string(name));
}

bool is_given(const CLI::App& command, std::string_view name) {
    const CLI::Option* const option = find(command, name);
    return option != nullptr && option->count() > 0;
}

std::string value_of(const CLI::Option& option) {
    return option.count() > 0 ? option.results().front() : option.get_default_str();
}

// Some semantics have a gamma, some have not; of several semantics one is enough.
void refuse_idle_gamma(const CLI::App& command) {
    if (!is_given(command, "--gamma")) return;
    std::vector<std::string> without;
    for (const char* name : {"--semantics", "--learning-semantics"}) {
        const CLI::Option* const option = find(command, name);
        if (option == nullptr) continue;
        const SemanticsSummary* const chosen = find_known_semantics(value_of(*option));
        if (chosen == nullptr || chosen->uses_gamma) return;  // or unknown, which is reported elsewhere
        without.push_back(value_of(*option));
    }
    if (!without.empty())
        throw UsageError(fmt::format("--gamma does nothing here: the semantics {} has none; leave it out",
                                     fmt::join(without, ", ")));
}

}  // namespace

void require_plain_numbers(CLI::App& app) {
    for (CLI::Option* const option : app.get_options([](const CLI::Option*) { return true; })) {
        const std::string type = option->get_type_name();  // CLI11 puts the validators' descriptions behind a colon
        if (std::ranges::find(number_types, type.substr(0, type.find(':'))) == number_types.end()) continue;
        option->check(CLI::Validator([](std::string& text) { return number_problem(text); }, ""));
    }
    for (CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
        require_plain_numbers(*command);
}

void refuse_idle_options(const CLI::App& command) {
    const std::string words = words_of(command);
    for (const Need& need : needs()) {
        if (need.command != words || !is_given(command, need.option)) continue;
        if (std::ranges::none_of(need.needs, [&](std::string_view one) { return is_given(command, one); }))
            throw UsageError(fmt::format("{} does nothing without {}", need.option, fmt::join(need.needs, " or ")));
    }
    for (const Clash& clash : clashes()) {
        if (clash.command != words || !is_given(command, clash.option)) continue;
        const CLI::Option* const other = find(command, clash.other);
        if (other == nullptr) continue;
        const std::string value = value_of(*other);
        const bool clashing = clash.values.front().empty()
                                  ? other->count() > 0
                                  : std::ranges::find(clash.values, value) != clash.values.end();
        if (clashing)
            throw UsageError(fmt::format("{} does nothing with {}{}: {}", clash.option, clash.other,
                                         clash.values.front().empty() ? "" : " " + value, clash.why));
    }
    refuse_idle_gamma(command);
}

}  // namespace neumann::app
