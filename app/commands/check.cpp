// neumann check: reads programs and reports their errors.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <neumann/check.h>

#include "cli/check_output.h"
#include "cli/text.h"
#include "command.h"
#include "options/program_options.h"

namespace neumann::app {
namespace {

constexpr const char* check_examples = R"help(Examples:
  neumann check family.nm                     errors and warnings, with their places
  neumann check *.nm                          several programs at once
  neumann check folder/ --clauses learned_clauses.txt
  neumann check folder/ --print > program.nm  the original's folder as a single file
  neumann check family.nm --types             the types of its predicates, and where they come from
  neumann check family.nm --demand            its clauses restricted to what its queries need
  neumann check family.nm --json              for editors and scripts

Exit code 0 if there are no errors, 2 otherwise.)help";

struct CheckCommand {
    std::vector<std::string> paths;
    ReadingOptions reading;
    bool print = false;
    bool types = false;
    bool demand = false;
    bool json = false;

    const char* asked() const { return print ? "--print" : types ? "--types" : demand ? "--demand" : nullptr; }

    void run() const;
    bool check(const std::string& path, std::vector<ProgramCheck>& checks) const;
};

// A saved graph is sound if it loads; otherwise the command ends with an error.
bool check_saved(const std::string& path, bool quiet) {
    const ModelSizes sizes = Model::load(path).sizes();
    if (!quiet) {
        fmt::print("{}: ok: a saved graph with {} and {}\n", path, counted(sizes.atoms, "atom"),
                   counted(sizes.ground_clauses, "ground clause"));
    }
    return true;
}

bool CheckCommand::check(const std::string& path, std::vector<ProgramCheck>& checks) const {
    reading.require_fitting(path);
    if (Model::is_saved(path)) {
        if (asked() != nullptr)
            throw UsageError(fmt::format("{} does nothing with {}: a saved graph has no text", asked(), path));
        return check_saved(path, json);
    }
    ModelOptions options;
    reading.put_into(options);
    const ProgramCheck& result = checks.emplace_back(check_program(path, options));
    if (json) return result.good;
    fmt::print(stderr, "{}", result.text);
    if (result.good && print) {
        fmt::print("{}", result.program);
    } else if (result.good && types) {
        fmt::print("{}", types_text(result));
    } else if (result.good && demand) {
        const std::string clauses = demanded_clauses(path, options);
        fmt::print("{}", clauses.empty() ? "% no query has known arguments that its clauses pass on\n" : clauses);
    } else if (result.good) {
        fmt::print("{}: ok: {}, {}, {}, {}{}\n", path, counted(result.types, "type"),
                   counted(result.predicates, "predicate"), counted(result.facts, "fact"),
                   counted(result.clauses, "clause"),
                   result.grounding.empty() ? "" : fmt::format(" ({} grounding)", result.grounding));
    }
    return result.good;
}

void CheckCommand::run() const {
    if (int{print} + int{types} + int{demand} > 1)
        throw UsageError("of --print, --types and --demand only one goes at a time");
    if (asked() != nullptr && paths.size() > 1) throw UsageError(fmt::format("{} takes one program", asked()));
    if (json && demand) throw UsageError("--demand has no JSON form");
    std::vector<ProgramCheck> checks;
    bool good = true;
    for (const std::string& path : paths) good = check(path, checks) && good;
    if (json) fmt::print("{}", check_json(checks, types));
    if (!good) throw CommandFailed();
}

}  // namespace

void add_check_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("check", "check programs for errors, and report their types");
    const auto options = std::make_shared<CheckCommand>();
    command->add_option("PROGRAM", options->paths, "program files, folders or saved graphs; - is standard input")
        ->required()
        ->type_name("");
    command->add_flag("--print", options->print, "print the program in canonical form");
    command->add_flag("--types", options->types, "print the types of the program, and the source of inferred ones");
    command->add_flag("--demand", options->demand,
                      "print the clauses as they are grounded for queries with known arguments");
    command->add_flag("--json", options->json, "print the diagnostics as JSON");
    options->reading.add_to(*command);
    command->footer(check_examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
