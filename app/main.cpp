// neumann: one command, one subcommand per job.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <neumann/error.h>

#include "cli/files.h"
#include "cli/text.h"
#include "command.h"
#include "commands/learn_commands.h"
#include "interrupt.h"
#include "options/help_groups.h"
#include "options/limit_options.h"
#include "options/option_rules.h"
#include "options/output_files.h"
#include "print/standard_streams.h"

namespace {

constexpr const char* examples = R"help(Examples:
  neumann check program.nm                    errors and warnings, with their places
  neumann ground program.nm                   size of the graph, rule by rule
  neumann reason program.nm                   probabilities of its queries
  neumann reason program.nm --examples scenes.jsonl --json
  neumann perceive image.png                  the objects in an image
  neumann reason program.nm --images images/
  neumann graph program.nm -o program.dot     its forward reasoning graph, for Graphviz
  neumann graph program.nm -o program.nmg     saved, to be loaded in milliseconds
  neumann ground --help                       all options of a subcommand; also:
  neumann help ground)help";

using Words = std::vector<std::string>;

// "help train slots" is "train slots --help".
Words without_help_command(Words words) {
    if (words.empty() || words.front() != "help") return words;
    words.erase(words.begin());
    words.emplace_back("--help");
    return words;
}

// Whether --help-all is among the words; it becomes --help.
bool take_help_all(Words& words) {
    const auto found = std::ranges::find(words, "--help-all");
    if (found == words.end()) return false;
    *found = "--help";
    return true;
}

// CLI11 reports only that a subcommand is missing.
void require_known_command(const CLI::App& app, const Words& words, std::size_t at = 0) {
    if (at == words.size()) return;
    const std::string& word = words[at];
    std::vector<std::string> names;
    if (word.starts_with('-')) {
        if (at > 0) return;  // CLI11 names the unknown words
        names = {"-h", "--help", "--help-all", "--version"};
    } else {
        for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
        if (at == 0) names.emplace_back("help");
    }
    if (std::ranges::find(names, word) == names.end())
        throw neumann::app::UsageError(
            fmt::format("there is no {} '{}{}'; {}", word.starts_with('-') ? "option" : "command",
                        at == 0 ? "" : app.get_name() + " ", word, neumann::did_you_mean_or_list(word, names)));
    if (word.starts_with('-')) return;
    const CLI::App* const command = app.get_subcommand(word);
    if (!command->get_subcommands(nullptr).empty()) require_known_command(*command, words, at + 1);
}

// --out and --output are the same, whichever of them the command has.
void accept_other_output_name(const CLI::App& app, Words& words) {
    const CLI::App* command = &app;
    for (const std::string& word : words) {
        const std::vector<const CLI::App*> named =
            command->get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
        if (named.empty()) break;
        command = named.front();
    }
    for (const auto& [other, own] : {std::pair("--out", "--output"), std::pair("--output", "--out")}) {
        if (command->get_option_no_throw(other) != nullptr || command->get_option_no_throw(own) == nullptr) continue;
        for (std::string& word : words) {
            if (word == other || word.starts_with(fmt::format("{}=", other)))
                word.replace(0, std::string_view(other).size(), own);
        }
    }
}

// Once options are read and before any work.
void check_options(const CLI::App& app) {
    if (!app.get_subcommands().empty()) return check_options(*app.get_subcommands().front());
    neumann::app::refuse_idle_options(app);
    neumann::app::require_safe_outputs(neumann::app::output_files(app));
}

// After the last message: a process that ends has nothing left to limit.
struct LimitsEnd {
    LimitsEnd() = default;
    ~LimitsEnd() { neumann::app::end_limits(); }
    LimitsEnd(const LimitsEnd&) = delete;
    LimitsEnd& operator=(const LimitsEnd&) = delete;
};

// The subcommands that were given: "train detector ".
std::string words_to(const CLI::App& app) {
    if (app.get_subcommands().empty()) return {};
    const CLI::App& given = *app.get_subcommands().front();
    return given.get_name() + " " + words_to(given);
}

// The words that CLI11 did not expect, with a suggestion of the intended option.
std::string describe_extras(const CLI::App& app) {
    if (app.get_subcommands().empty()) return "too many arguments";
    const CLI::App& command = *app.get_subcommands().front();
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options()) known.push_back(option->get_name());
    const std::vector<std::string> extras = app.remaining(true);
    for (const std::string& extra : extras) {
        if (!extra.starts_with('-')) continue;
        const std::string near = neumann::did_you_mean(extra, known);
        return fmt::format("there is no option '{}'{}", extra, near.empty() ? "" : "; " + near);
    }
    return extras.empty() ? "too many arguments" : fmt::format("did not expect '{}'", extras.front());
}

// The arguments in the order CLI11 takes them, the last first, with two ways of writing that it does not know:
// "--history all" for a flag that may have a value, and "--query p(X) q(X)" for several queries.
Words arguments(const Words& words) {
    Words result;
    bool after_query = false;  // the last one belongs to a --query
    for (const std::string_view word : words) {
        const bool history = !result.empty() && result.back() == "--history";
        const bool query = !result.empty() && result.back() == "--query";
        if (history && word == "all") {
            result.back() += "=all";
            continue;
        }
        const bool another = after_query && !word.starts_with('-') && word.find('(') != std::string_view::npos;
        if (another) result.emplace_back("--query");
        result.emplace_back(word);
        after_query = query || another;
    }
    std::ranges::reverse(result);
    return result;
}

int run(int argc, char** argv) {
    using namespace neumann::app;
    reserve_standard_streams();
    end_on_interrupt();
    neumann::protect_inputs();
    CLI::App app("NEUMANN: differentiable forward reasoning with first-order logic programs");
    app.name("neumann");
    app.set_version_flag("--version", "neumann " NEUMANN_VERSION);
    app.require_subcommand(1);
    app.footer(examples);
    app.get_formatter()->column_width(34);
    add_check_command(app);
    add_convert_command(app);
    add_ground_command(app);
    add_graph_command(app);
    add_reason_command(app);
    add_explain_command(app);
    add_learn_command(app);
    add_generate_command(app);
    add_scene_command(app);
    add_perceive_command(app);
    add_train_command(app);
    add_page_command(app);
    add_repl_command(app);
    add_completion_command(app);
    add_limits(app);
    require_plain_numbers(app);
    app.parse_complete_callback([&app] {
        check_options(app);
        begin_limits(app);
    });
    const LimitsEnd at_end;
    try {
        Words notes;
        Words words = with_learn_subcommand(without_help_command({argv + 1, argv + argc}), notes);
        if (words.empty()) fmt::print("{}\n", app.help());  // and the error that a command is missing
        const bool wants_all = take_help_all(words);
        const auto asks_help = [](const std::string& word) { return word == "--help" || word == "-h"; };
        if (std::ranges::any_of(words, asks_help)) arrange_help(app, wants_all);
        for (const std::string& note : notes) fmt::print(stderr, "{}\n", note);
        require_known_command(app, words);
        accept_other_output_name(app, words);
        try {
            app.parse(arguments(words));
        } catch (const CLI::Success& success) {  // --help, --version
            app.exit(success);
        }
        finish_standard_output();
        return interrupt_exit_code();
    } catch (const CLI::ParseError& error) {
        const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
        fmt::print(stderr, "error: {}\nRun 'neumann {}--help' to see how it is used.\n",
                   extras ? describe_extras(app) : error.what(), words_to(app));
    } catch (const UsageError& error) {
        fmt::print(stderr, "error: {}\n", error.what());
    } catch (const CommandFailed& failed) {
        return interrupt_exit_code() != 0 ? interrupt_exit_code() : failed.exit_code;
    } catch (const neumann::OptionError& error) {
        fmt::print(stderr, "error: --{}: {}\n", error.option(), error.text());
    } catch (const neumann::Error& error) {
        fmt::print(stderr, "{}\n", error.what());  // as it is to be shown
        if (interrupt_exit_code() != 0) return interrupt_exit_code();
    } catch (const neumann::FileError& error) {
        fmt::print(stderr, "error: {}\n", error.what());
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "error: out of memory\n");
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
    }
    return exit_bad_input;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (...) {  // an exception while printing the error
        std::fputs("error: out of memory\n", stderr);
        return neumann::app::exit_bad_input;
    }
}
