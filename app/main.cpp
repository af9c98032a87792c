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

#include "base/atomic_file.h"
#include "base/suggest.h"
#include "command.h"
#include "graph/section_file.h"
#include "runtime/json_lines.h"

namespace {

constexpr const char* examples = R"help(Examples:
  neumann check program.nm                    is it a program? what is wrong with it?
  neumann ground program.nm                   how large is it, rule by rule
  neumann reason program.nm                   how probable is what its queries ask
  neumann reason program.nm --examples scenes.jsonl --json
  neumann perceive picture.png                what objects are in a picture?
  neumann reason program.nm --images pictures/
  neumann graph program.nm -o program.dot     its forward reasoning graph, for Graphviz
  neumann graph program.nm -o program.nmg     saved, to be loaded in milliseconds
  neumann ground --help                       all options of a subcommand)help";

// CLI11 only says that a subcommand is missing.
void require_known_command(const CLI::App& app, int argc, char** argv) {
    if (argc < 2) return;
    const std::string first = argv[1];
    std::vector<std::string> names;
    if (first.starts_with('-')) {
        names = {"-h", "--help", "--version"};
    } else {
        for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
    }
    if (std::ranges::find(names, first) != names.end()) return;
    throw neumann::app::UsageError(fmt::format("there is no {} '{}'; {}", first.starts_with('-') ? "option" : "command",
                                               first, neumann::did_you_mean_or_list(first, names)));
}

// The subcommands that were given: "train detector ".
std::string words_to(const CLI::App& app) {
    if (app.get_subcommands().empty()) return {};
    const CLI::App& given = *app.get_subcommands().front();
    return given.get_name() + " " + words_to(given);
}

// What CLI11 did not expect, with the option that may have been meant.
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
std::vector<std::string> arguments(int argc, char** argv) {
    std::vector<std::string> result;
    bool after_query = false;  // the last one belongs to a --query
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
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

}  // namespace

int main(int argc, char** argv) {
    using namespace neumann::app;
    CLI::App app("NEUMANN: differentiable forward reasoning with first-order logic programs");
    app.name("neumann");
    app.set_version_flag("--version", "neumann " NEUMANN_VERSION);
    app.require_subcommand(1);
    app.footer(examples);
    app.get_formatter()->column_width(34);
    add_check_command(app);
    add_ground_command(app);
    add_graph_command(app);
    add_reason_command(app);
    add_explain_command(app);
    add_learn_command(app);
    add_generate_command(app);
    add_scene_command(app);
    add_perceive_command(app);
    add_train_command(app);
    try {
        require_known_command(app, argc, argv);
        app.parse(arguments(argc, argv));
        return exit_ok;
    } catch (const CLI::Success& success) {  // --help, --version
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
        fmt::print(stderr, "error: {}\nRun 'neumann {}--help' to see how it is used.\n",
                   extras ? describe_extras(app) : error.what(), words_to(app));
    } catch (const UsageError& error) {
        fmt::print(stderr, "error: {}\n", error.what());
    } catch (const CommandFailed& failed) {
        return failed.exit_code;
    } catch (const neumann::Error& error) {
        fmt::print(stderr, "{}\n", error.what());  // as it is to be shown
    } catch (const neumann::FileError& error) {
        fmt::print(stderr, "error: {}\n", error.what());
    } catch (const neumann::ExampleError& error) {
        fmt::print(stderr, "{}\n", error.what());  // has its place in front
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "error: out of memory\n");
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
    }
    return exit_bad_input;
}
