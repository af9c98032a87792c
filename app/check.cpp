// neumann check: reads programs and says what is wrong with them.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analyse/analyse.h"
#include "command.h"
#include "logic/print.h"
#include "program_options.h"

namespace neumann::app {
namespace {

constexpr const char* examples = R"help(Examples:
  neumann check family.nm                     errors and warnings, with their places
  neumann check *.nm                          several programs at once
  neumann check folder/ --clauses learned_clauses.txt
  neumann check folder/ --print > program.nm  the original's folder as a single file
  neumann check family.nm --json              for editors and scripts

Exit code 0 if there are no errors, 2 otherwise.)help";

struct CheckCommand {
    std::vector<std::string> paths;
    ReadingOptions reading;
    bool print = false;
    bool json = false;

    void run() const;
    bool check(const std::string& path, nlohmann::json& report) const;
};

std::string count(std::size_t number, const char* thing) { return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s"); }

nlohmann::json to_json(const Diagnostic& diagnostic, const SourceSet& sources) {
    nlohmann::json entry = {{"severity", diagnostic.code.severity == Severity::Error ? "error" : "warning"},
                            {"code", diagnostic.code.name}, {"message", diagnostic.message}};
    if (!diagnostic.advice.empty()) entry["advice"] = diagnostic.advice;
    if (diagnostic.span.is_none()) return entry;
    const SourceFile& file = sources.file(diagnostic.span.file);
    entry["file"] = file.name();
    if (diagnostic.span.begin == diagnostic.span.end) return entry;
    const LineColumn first = file.locate(diagnostic.span.begin);
    const LineColumn last = file.locate(diagnostic.span.end - 1);
    entry["line"] = first.line;
    entry["column"] = first.column;
    entry["end_line"] = last.line;
    entry["end_column"] = last.column;
    return entry;
}

bool CheckCommand::check(const std::string& path, nlohmann::json& report) const {
    Diagnostics diagnostics = reading.make_diagnostics();
    Program program = load_program(path, reading.load, diagnostics);
    if (!diagnostics.has_errors()) analyse(program, {}, diagnostics);
    const bool good = !diagnostics.has_errors();
    if (json) {
        for (const Diagnostic& diagnostic : diagnostics.sorted()) report.push_back(to_json(diagnostic, *program.sources));
        return good;
    }
    reading.show(diagnostics, *program.sources);
    if (good && print) {
        // As text of the single-file language, where lists are declared and printed as such.
        for (std::uint32_t t = 0; t < program.signature.types().size(); ++t) {
            if (auto& list = program.signature.type(TypeId(t)).list) list->printed = true;
        }
        fmt::print("{}", print_program(program));
    } else if (good) {
        fmt::print("{}: ok: {}, {}, {}, {}\n", path, count(program.signature.types().size(), "type"),
                   count(program.signature.predicates().size(), "predicate"), count(program.facts.size(), "fact"),
                   count(program.clauses.size(), "clause"));
    }
    return good;
}

void CheckCommand::run() const {
    if (print && paths.size() > 1) throw UsageError("--print takes one program");
    nlohmann::json report = nlohmann::json::array();
    bool good = true;
    for (const std::string& path : paths) good = check(path, report) && good;
    if (json) fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    if (!good) throw CommandFailed();
}

}  // namespace

void add_check_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("check", "read programs and say what is wrong with them");
    const auto options = std::make_shared<CheckCommand>();
    command->add_option("PROGRAM", options->paths, "program files or folders; - is standard input")->required()->type_name("");
    command->add_flag("--print", options->print, "print the program in canonical form");
    command->add_flag("--json", options->json, "print the diagnostics as JSON");
    options->reading.add_to(*command);
    command->footer(examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
