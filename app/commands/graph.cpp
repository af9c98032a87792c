// neumann graph: the forward reasoning graph as a drawing, as JSON, or saved for later.
#include <cstdio>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include <neumann/model.h>
#include <neumann/reasoner.h>
#include <neumann/semantics.h>

#include "cli/files.h"
#include "cli/text.h"
#include "command.h"
#include "options/program_options.h"
#include "print/progress_meter.h"

namespace neumann::app {
namespace {

constexpr std::uint64_t drawable_nodes = 1000;  // beyond this Graphviz takes minutes and the result is unreadable

constexpr const char* graph_examples = R"help(Examples:
  neumann graph family.nm -o family.dot && dot -Tsvg family.dot -o family.svg
  neumann graph family.nm -o family.json
  neumann graph family.nm -o family.nmg              saved; every command takes it in place of the program
  neumann graph grid.nm --semantics exact -o grid.nmg  with the circuit: reason --semantics exact need not compile it
  neumann graph alarm.pl -o alarm.nnf                the circuit of its probability, for other tools (d-DNNF)
  neumann graph family.nm --query "ancestor(ann,X)" --format dot -o - | dot -Tpng -o family.png)help";

struct GraphCommand {
    std::string path;
    std::string output;
    std::string format;
    std::string semantics;
    double time_limit = 0;
    ReadingOptions reading;
    GroundingOptions grounding;

    void run() const;
    std::string output_format() const;
};

std::string GraphCommand::output_format() const {
    if (!format.empty()) return format;
    const std::string extension = std::filesystem::path(output).extension().string();
    if (extension == ".dot" || extension == ".gv") return "dot";
    if (extension == ".json") return "json";
    if (extension == ".nmg" || extension == ".cnf" || extension == ".nnf") return extension.substr(1);
    throw UsageError(fmt::format(
        "cannot tell the format of '{}'; end its name in .dot, .json, .nmg, .cnf or .nnf, or give --format", output));
}

void GraphCommand::run() const {
    const std::string wanted = output_format();  // before the work, so that a mistake costs nothing
    if (wanted == "nmg" && output == "-")
        throw UsageError("a saved graph cannot be written to standard output; name a file with -o");
    const bool is_exact = wanted == "cnf" || wanted == "nnf";
    if (!semantics.empty() && wanted != "nmg" && !is_exact)
        throw UsageError("--semantics exact is for saved graphs and circuits: end its name in .nmg, .cnf or .nnf");
    const Model model = open_model(path, reading, grounding);
    const ModelSizes sizes = model.sizes();
    std::size_t circuit_nodes = 0;
    if (wanted == "nmg") {
        if (!semantics.empty()) {
            ProgressMeter meter;
            circuit_nodes = model.compile_exact({.memory_limit = grounding.limits.memory_limit,
                                                 .time_limit = time_limit,
                                                 .progress = meter.function()});
        }
        model.save(output);
    } else {
        const GraphFormat as = wanted == "dot"   ? GraphFormat::Dot
                               : wanted == "cnf" ? GraphFormat::Cnf
                               : wanted == "nnf" ? GraphFormat::Nnf
                                                 : GraphFormat::Json;
        if (output == "-") {
            model.export_graph(as, [](const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); });
        } else {
            AtomicFile file(output);
            model.export_graph(as, [&](const std::string& text) { file.write(text); });
            file.commit();
        }
        if (wanted == "dot" && sizes.nodes > drawable_nodes) {
            fmt::print(stderr,
                       "note: {} nodes are too many for a readable picture; a --query keeps only what it depends on\n",
                       with_separators(sizes.nodes));
        }
    }
    if (output == "-") return;
    const ModelLevels levels = model.levels();
    std::error_code not_a_file;
    const std::uintmax_t size = std::filesystem::file_size(output, not_a_file);
    const std::string circuit = circuit_nodes == 0 ? "" : "; a circuit of " + counted(circuit_nodes, "node");
    fmt::print("{}: {}, {}, {}; {}, {} ({} cyclic){}{}\n", output, counted(sizes.atoms, "atom"),
               counted(sizes.ground_clauses, "conjunction"), counted(sizes.edges, "edge"),
               counted(levels.levels, "level"), counted(levels.components, "component"),
               with_separators(levels.cyclic_components), circuit, not_a_file ? "" : "; " + format_bytes(size));
}

}  // namespace

void add_graph_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("graph", "write a program's forward reasoning graph");
    const auto options = std::make_shared<GraphCommand>();
    command->add_option("PROGRAM", options->path, "a program file, a folder, or a saved graph")
        ->required()
        ->type_name("");
    command
        ->add_option("-o,--output", options->output,
                     "output file: name.dot, name.json, name.nmg, name.cnf or name.nnf; - is standard output")
        ->required()
        ->type_name("FILE");
    command
        ->add_option(
            "--format", options->format,
            "dot, json, nmg, cnf (exact: weighted clauses) or nnf (exact: the circuit of one query); default: by "
            "the ending of the file")
        ->check(CLI::IsMember({"dot", "json", "nmg", "cnf", "nnf"}));
    command->add_option("--semantics", options->semantics, "exact: compile exact probabilities of the queries, too")
        ->check(CLI::IsMember({std::string(exact_semantics_name)}));
    command->add_option("--time-limit", options->time_limit, "end after this time; default: none")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 1e9).description(""));
    options->grounding.add_to(*command);
    options->reading.add_to(*command);
    command->footer(graph_examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
