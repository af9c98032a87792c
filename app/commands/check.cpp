// neumann check: reads programs and says what is wrong with them.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analyse/analyse.h"
#include "command.h"
#include "draw/table.h"
#include "logic/print.h"
#include "options/program_options.h"

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

void add_place(nlohmann::json& entry, Span span, const SourceSet& sources) {
    if (span.is_none()) return;
    const SourceFile& file = sources.file(span.file);
    entry["file"] = file.name();
    if (span.begin == span.end) return;
    const LineColumn first = file.locate(span.begin);
    const LineColumn last = file.locate(span.end - 1);
    entry["line"] = first.line;
    entry["column"] = first.column;
    entry["end_line"] = last.line;
    entry["end_column"] = last.column;
}

nlohmann::json to_json(const Diagnostic& diagnostic, const SourceSet& sources) {
    nlohmann::json entry = {{"severity", diagnostic.code.severity == Severity::Error ? "error" : "warning"},
                            {"code", diagnostic.code.name},
                            {"message", diagnostic.message}};
    if (!diagnostic.advice.empty()) entry["advice"] = diagnostic.advice;
    add_place(entry, diagnostic.span, sources);
    for (const Diagnostic::Related& related : diagnostic.related) {
        nlohmann::json note = {{"message", related.message}};
        add_place(note, related.span, sources);
        entry["related"].push_back(std::move(note));
    }
    return entry;
}

// A saved graph is sound if it loads; otherwise that is said and the command ends.
bool check_saved(const std::string& path, bool quiet) {
    const ReasoningGraph graph = load_saved(path).compiled.ground.graph;
    if (!quiet) {
        fmt::print("{}: ok: a saved graph with {} and {}\n", path, counted(graph.atom_count(), "atom"),
                   counted(graph.conjunction_count(), "ground clause"));
    }
    return true;
}

bool CheckCommand::check(const std::string& path, nlohmann::json& report) const {
    if (is_saved_graph(path)) return check_saved(path, json);
    reading.require_fitting(path);
    Diagnostics diagnostics = reading.make_diagnostics();
    Program program = load_program(path, reading.load, diagnostics);
    analyse(program, {}, diagnostics);
    const bool good = !diagnostics.has_errors();
    if (json) {
        for (const Diagnostic& diagnostic : diagnostics.sorted())
            report.push_back(to_json(diagnostic, *program.sources));
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
        fmt::print("{}: ok: {}, {}, {}, {}\n", path, counted(program.signature.types().size(), "type"),
                   counted(program.signature.predicates().size(), "predicate"), counted(program.facts.size(), "fact"),
                   counted(program.clauses.size(), "clause"));
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
    command->add_option("PROGRAM", options->paths, "program files, folders or saved graphs; - is standard input")
        ->required()
        ->type_name("");
    command->add_flag("--print", options->print, "print the program in canonical form");
    command->add_flag("--json", options->json, "print the diagnostics as JSON");
    options->reading.add_to(*command);
    command->footer(examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
