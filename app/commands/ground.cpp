// neumann ground: how large a program is when it is grounded, rule by rule.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <neumann/model.h>

#include "cli/text.h"
#include "command.h"
#include "options/program_options.h"

namespace neumann::app {
namespace {

constexpr const char* ground_examples = R"help(Examples:
  neumann ground program.nm                          the part that its queries need
  neumann ground program.nm --query "answer(X)"      … for another query
  neumann ground program.nm --mode full              every typed atom, as the paper counts
  neumann ground folder/ --mode full --term-depth 3 --distinct all --clauses learned_clauses.txt
  neumann ground program.nm --facts evaluate         certain atoms evaluated away
  neumann ground program.nm --memory-limit 2G        an error before it uses more
  neumann ground saved.nmg --json                    sizes of a saved graph, for scripts)help";

struct GroundCommand {
    std::string path;
    ReadingOptions reading;
    GroundingOptions grounding;
    bool json = false;

    void run() const;
};

void print_json(const std::string& path, const ModelSizes& sizes) {
    nlohmann::ordered_json out = {{"program", path},
                                  {"mode", sizes.grounding},
                                  {"terms", sizes.terms},
                                  {"atoms", sizes.atoms},
                                  {"clauses", sizes.ground_clauses},
                                  {"nodes", sizes.nodes},
                                  {"edges", sizes.edges},
                                  {"bytes", sizes.graph_bytes + sizes.label_bytes},
                                  {"seconds", sizes.seconds}};
    out["predicates"] = nlohmann::ordered_json::array();
    for (const ModelSizes::Predicate& predicate : sizes.predicates)
        out["predicates"].push_back({{"predicate", predicate.name}, {"atoms", predicate.atoms}});
    out["rules"] = nlohmann::ordered_json::array();
    for (const ModelSizes::Rule& rule : sizes.rules) {
        out["rules"].push_back({{"clause", rule.clause},
                                {"file", rule.file},
                                {"line", rule.line},
                                {"clauses", rule.instances},
                                {"edges", rule.edges},
                                {"seconds", rule.seconds}});
    }
    out["peak_rss_bytes"] = sizes.peak_bytes;
    fmt::print("{}\n", out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_tables(const std::string& path, const ModelSizes& sizes) {
    Table predicates({{"predicate", Table::Align::Left}, {"atoms"}});
    for (const ModelSizes::Predicate& predicate : sizes.predicates)
        predicates.add_row({predicate.name + (predicate.neural ? " (neural)" : ""), with_separators(predicate.atoms)});
    predicates.add_line();
    predicates.add_row({"all", with_separators(sizes.atoms)});

    Table rules({{"line"}, {"clause", Table::Align::Left}, {"instances"}, {"edges"}, {"bytes"}, {"ms"}});
    ModelSizes::Rule total;
    for (const ModelSizes::Rule& rule : sizes.rules) {
        rules.add_row({fmt::format("{}", rule.line), shortened(rule.clause, 72), with_separators(rule.instances),
                       with_separators(rule.edges), with_separators(rule.bytes),
                       fmt::format("{:.2f}", rule.seconds * 1e3)});
        total.instances += rule.instances;
        total.edges += rule.edges;
        total.bytes += rule.bytes;
        total.seconds += rule.seconds;
    }
    rules.add_line();
    rules.add_row({"", "all", with_separators(total.instances), with_separators(total.edges),
                   with_separators(total.bytes), fmt::format("{:.2f}", total.seconds * 1e3)});

    fmt::print("{} ({} grounding)\n\n{}\n{}\n", path, sizes.grounding, predicates.text(), rules.text());
    fmt::print("{}, {}, {}, {}, {}\n", counted(sizes.terms, "term"), counted(sizes.atoms, "atom"),
               counted(sizes.ground_clauses, "ground clause"), counted(sizes.nodes, "node"),
               counted(sizes.edges, "edge"));
    fmt::print("graph {}, labels {}, peak memory {}, {:.1f} ms\n", format_bytes(sizes.graph_bytes),
               format_bytes(sizes.label_bytes), format_bytes(sizes.peak_bytes), sizes.seconds * 1e3);
}

void GroundCommand::run() const {
    const ModelSizes sizes = open_model(path, reading, grounding).sizes();
    if (json) {
        print_json(path, sizes);
    } else {
        print_tables(path, sizes);
    }
}

}  // namespace

void add_ground_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("ground", "ground a program and print the size of the graph");
    const auto options = std::make_shared<GroundCommand>();
    command->add_option("PROGRAM", options->path, "a program file, a folder, or a saved graph")
        ->required()
        ->type_name("");
    command->add_flag("--json", options->json, "print one JSON object");
    options->grounding.add_to(*command);
    options->reading.add_to(*command);
    command->footer(ground_examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
