// neumann convert: programs to and from other languages.
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include <neumann/convert.h>

#include "cli/files.h"
#include "command.h"
#include "options/program_options.h"

namespace neumann::app {
namespace {

constexpr const char* examples = R"help(Examples:
  neumann convert shop.lp                            clingo's program as one of the single-file language
  neumann convert family.nm --to asp -o family.lp    for clingo
  neumann convert coins.pl -o coins.nm               from ProbLog
  neumann convert family.nm --to problog
  neumann convert folder/ -o program.nm              the original's folder as a single file
  neumann convert program.nm --to folder -o folder/
  neumann convert alarm.pl --to cnf -o alarm.cnf     for model counters: the count is the probability

docs/interchange.md describes each translation. Constructs that the other language lacks are errors, by name.)help";

struct ConvertCommand {
    std::string path;
    std::string from;
    std::string to = "neumann";
    std::string output;
    bool drop_probabilities = false;
    ReadingOptions reading;

    void run() const;
};

void ConvertCommand::run() const {
    ConvertOptions options;
    if (!from.empty()) options.from = from;
    options.to = to;
    options.drop_probabilities = drop_probabilities;
    const bool folder = language_named(to).is_folder;
    if (folder && (output.empty() || output == "-"))
        throw UsageError("--to folder writes several files: name their folder with -o");
    if (drop_probabilities && language_named(to).has_probabilities)
        throw UsageError("--drop-probabilities does nothing without --to asp: other languages keep them");
    if (Model::is_saved(path))
        throw UsageError(fmt::format("'{}' is a saved graph, which has no text to convert", path));
    reading.require_fitting(path);
    reading.put_into(options.reading);
    const Conversion result = convert_program(path, options);
    fmt::print(stderr, "{}", result.warnings);
    for (const std::string& note : result.notes) fmt::print(stderr, "note: {}\n", note);
    if (folder) {
        save_folder(result, output);
    } else if (output.empty() || output == "-") {
        fmt::print("{}", result.text);
    } else {
        write_file(output, result.text);
    }
}

}  // namespace

void add_convert_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("convert", "convert programs to other languages, and from them");
    const auto options = std::make_shared<ConvertCommand>();
    command->add_option("PROGRAM", options->path, "a program file or a folder; - is standard input")
        ->required()
        ->type_name("");
    command
        ->add_option("--from", options->from,
                     "language of the program; default: by its ending (.lp asp, .pl problog, .cnf cnf)")
        ->check(CLI::IsMember(language_names()));
    command->add_option("--to", options->to, "the language to write")
        ->check(CLI::IsMember(language_names()))
        ->default_str("neumann");
    command->add_option("-o,--output", options->output, "output file, or a new folder; default: standard output")
        ->type_name("PATH");
    command->add_flag("--drop-probabilities", options->drop_probabilities,
                      "to asp: every atom with a probability above 0 holds");
    options->reading.add_to(*command);
    command->footer(examples);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
