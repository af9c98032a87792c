// neumann ground: how large a program is when it is grounded, rule by rule.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/memory.h"
#include "base/utf8.h"
#include "command.h"
#include "draw/table.h"
#include "logic/print.h"
#include "options/program_options.h"

namespace neumann::app {
namespace {

constexpr const char* examples = R"help(Examples:
  neumann ground program.nm                          what is relevant for its queries
  neumann ground program.nm --query "answer(X)"      … for another query
  neumann ground program.nm --mode full              every typed atom, as the paper counts
  neumann ground folder/ --mode full --term-depth 3 --distinct all --clauses learned_clauses.txt
  neumann ground program.nm --facts evaluate         what is certain computed away
  neumann ground program.nm --memory-limit 2G        refused before it gets there
  neumann ground saved.nmg --json                    sizes of a saved graph, for scripts)help";

struct GroundCommand {
    std::string path;
    ReadingOptions reading;
    GroundingOptions grounding;
    bool json = false;

    void run() const;
};

void print_json(const std::string& path, const CompiledProgram& compiled) {
    const GroundProgram& ground = compiled.ground;
    nlohmann::ordered_json out = {{"program", path},
                                  {"mode", compiled.mode},
                                  {"terms", ground.terms},
                                  {"atoms", ground.graph.atom_count()},
                                  {"clauses", ground.graph.conjunction_count()},
                                  {"nodes", ground.graph.node_count()},
                                  {"edges", ground.graph.edge_count()},
                                  {"bytes", ground.graph.bytes() + ground.atoms.bytes()},
                                  {"seconds", ground.seconds}};
    out["predicates"] = nlohmann::ordered_json::array();
    for (std::uint32_t p = 0; p < ground.atoms.predicate_count(); ++p) {
        out["predicates"].push_back({{"predicate", print_indicator(compiled.program.signature.predicates()[p])},
                                     {"atoms", ground.atoms.range(PredicateId(p)).count}});
    }
    out["rules"] = nlohmann::ordered_json::array();
    for (std::size_t c = 0; c < compiled.clauses.size(); ++c) {
        const ClauseInfo& clause = compiled.clauses[c];
        const RuleStats& stats = ground.rules[c];
        out["rules"].push_back({{"clause", clause.text},
                                {"file", clause.file},
                                {"line", clause.line},
                                {"clauses", stats.instances},
                                {"edges", stats.edges},
                                {"seconds", stats.seconds}});
    }
    out["peak_rss_bytes"] = peak_rss_bytes();
    fmt::print("{}\n", out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string shortened(const std::string& text, std::size_t most) {
    if (text.size() <= most) return text;
    std::size_t cut = most - 1;
    while (cut > 0 && continues_character(text[cut])) --cut;
    return text.substr(0, cut) + "…";
}

// Bytes that a conjunction takes in the graph: head, clause and two offsets' worth, and each body edge in both
// directions.
std::uint64_t bytes_of(const RuleStats& stats) { return 12 * stats.instances + 8 * (stats.edges - stats.instances); }

void print_tables(const std::string& path, const CompiledProgram& compiled) {
    const GroundProgram& ground = compiled.ground;
    Table predicates({{"predicate", Table::Align::Left}, {"atoms"}});
    for (std::uint32_t p = 0; p < ground.atoms.predicate_count(); ++p) {
        const std::uint32_t count = ground.atoms.range(PredicateId(p)).count;
        const PredicateDecl& predicate = compiled.program.signature.predicates()[p];
        predicates.add_row(
            {print_indicator(predicate) + (predicate.neural ? " (neural)" : ""), with_separators(count)});
    }
    predicates.add_line();
    predicates.add_row({"all", with_separators(ground.graph.atom_count())});

    Table rules({{"line"}, {"clause", Table::Align::Left}, {"instances"}, {"edges"}, {"bytes"}, {"ms"}});
    RuleStats total;
    for (std::size_t c = 0; c < compiled.clauses.size(); ++c) {
        const RuleStats& stats = ground.rules[c];
        rules.add_row({fmt::format("{}", compiled.clauses[c].line), shortened(compiled.clauses[c].text, 72),
                       with_separators(stats.instances), with_separators(stats.edges), with_separators(bytes_of(stats)),
                       fmt::format("{:.2f}", stats.seconds * 1e3)});
        total.instances += stats.instances;
        total.edges += stats.edges;
        total.seconds += stats.seconds;
    }
    rules.add_line();
    rules.add_row({"", "all", with_separators(total.instances), with_separators(total.edges),
                   with_separators(bytes_of(total)), fmt::format("{:.2f}", total.seconds * 1e3)});

    fmt::print("{} ({} grounding)\n\n{}\n{}\n", path, compiled.mode, predicates.text(), rules.text());
    fmt::print("{}, {}, {}, {}, {}\n", counted(ground.terms, "term"), counted(ground.graph.atom_count(), "atom"),
               counted(ground.graph.conjunction_count(), "ground clause"), counted(ground.graph.node_count(), "node"),
               counted(ground.graph.edge_count(), "edge"));
    fmt::print("graph {}, labels {}, peak memory {}, {:.1f} ms\n", format_bytes(ground.graph.bytes()),
               format_bytes(ground.atoms.bytes()), format_bytes(peak_rss_bytes()), ground.seconds * 1e3);
}

void GroundCommand::run() const {
    const LoadedProgram loaded = compile_program(path, reading, grounding, false);
    if (json) {
        print_json(path, loaded.compiled);
    } else {
        print_tables(path, loaded.compiled);
    }
}

}  // namespace

void add_ground_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("ground", "ground a program and say how large it is");
    const auto options = std::make_shared<GroundCommand>();
    command->add_option("PROGRAM", options->path, "a program file, a folder, or a saved graph")
        ->required()
        ->type_name("");
    command->add_flag("--json", options->json, "print one JSON object");
    options->grounding.add_to(*command);
    options->reading.add_to(*command);
    command->footer(examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
