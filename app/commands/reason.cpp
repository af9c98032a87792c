// neumann reason: the probability of every atom that is asked for, example by example.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "command.h"
#include "draw/heat_map.h"
#include "draw/table.h"
#include "options/example_options.h"
#include "options/program_options.h"
#include "options/reasoning_options.h"
#include "print/progress_meter.h"
#include "print/score_text.h"
#include "reason_session.h"
#include "runtime/example_stream.h"
#include "runtime/scorer.h"

namespace neumann::app {
namespace {

constexpr const char* examples_text = R"help(Examples:
  neumann reason family.nm                                  its own facts and queries
  neumann reason family.nm --query "ancestor(ann,X)" --history
  neumann reason scenes.nm --examples scenes.jsonl --json > answers.jsonl
  neumann reason scenes.nm --examples - --json < scenes.jsonl
  neumann reason figures.nm --images figures/test          pictures, with accuracy where they have labels
  neumann reason figures.nm --images a.png b.png --json
  neumann reason questions.nm --images view.png --ask "query3(q,q_delete,gray,2nd)"
  neumann reason family.nm --gradients inputs,weights       what the answers depend on
  neumann reason family.nm --history-picture proof.svg      atoms across, steps down
  neumann reason even/ --term-depth 10 --semantics paper --steps 5 --history all --json
  neumann reason saved.nmg --query "answer(red)"            starts in milliseconds

An example is a line {"id": "a", "atoms": {"color(obj0,red)": 0.9}}. An atom starts with the value of the example, else with
that of its fact, else with 0. docs/semantics.md has the formulas.)help";

struct ReasonCommand {
    SessionOptions session;
    std::string path;
    ExampleOptions given;
    ScoreOptions scoring;
    ReasoningOptions reasoning;
    std::string history;  // "", "queries" or "all"
    std::string picture;
    std::vector<std::string> gradients;
    std::optional<std::size_t> top;
    bool json = false;

    void run();

private:
    void check_options();
    void run_examples(ReasonSession& with, std::span<const BoundExample> these, bool alone);
    void run_source(ReasonSession& base, ExampleSource& source);
    void count_right(ReasonSession& with, const ExampleSource& source, std::span<const BoundExample> these);
    void draw(ReasonSession& with) const;

    SessionsByInputs<ReasonSession> others_;
    std::optional<Scorer> scorer_;
};

void ReasonCommand::check_options() {
    EngineOptions& engine = session.engine;
    GroundingOptions& grounding = session.grounding;
    OutputOptions& shown = session.output;
    session.path = path;
    engine.reason = reasoning.resolve(path, grounding);
    if (engine.name == "tensor" && !engine.reason.steps) throw UsageError("--engine tensor needs --steps N");
    if (engine.name == "tensor" && !gradients.empty())
        throw UsageError("--engine tensor has no gradients; use --engine graph or reference");
    shown.history = !history.empty();
    shown.history_of_all = history == "all";
    for (const std::string& one : gradients) {
        shown.input_gradients = shown.input_gradients || one == "inputs";
        shown.weight_gradients = shown.weight_gradients || one == "weights";
    }
    shown.top = top.value_or(given.many() ? 3 : 10);
    shown.semantics = reasoning.semantics;
    shown.gamma = reasoning.gamma;
    shown.uses_gamma = info(engine.reason.semantics).uses_gamma;
    shown.double_precision = engine.name != "graph";
    if (given.many() && !json && (shown.history || shown.gradients()))
        throw UsageError("--history and --gradients of many examples are for programs: add --json");
    if (!picture.empty()) require_picture_name(picture);
    if (!picture.empty() && given.many())
        throw UsageError(
            fmt::format("--history-picture shows one example: leave out {}, or put its atoms into the program",
                        given.examples.empty() ? "--images" : "--examples"));
    given.check("--query is what to print");
    given.pictures.device.threads = grounding.ground.threads;
    scorer_.emplace(scoring);
}

void ReasonCommand::run_examples(ReasonSession& with, std::span<const BoundExample> these, bool alone) {
    const OutputOptions& shown = session.output;
    const bool history_kept = shown.history || !picture.empty();
    with.engine().forward(these, history_kept && shown.gradients() ? Keep::HistoryAndBackward
                                 : history_kept                    ? Keep::History
                                 : shown.gradients()               ? Keep::Backward
                                                                   : Keep::Results);
    fmt::memory_buffer out;
    if (json) {
        with.output().write_json(with.engine(), these, out);
    } else {
        with.output().write_text(with.engine(), these, alone, out);
    }
    if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0)
        throw FileError("cannot write the results to standard output");
}

void ReasonCommand::draw(ReasonSession& with) const {
    const ReasonOutput::History steps_shown = with.output().history(with.engine(), 0);
    write_heat_map({.title = std::filesystem::path(path).filename().string(),
                    .subtitle = fmt::format("{}, {}", reasoning.description(), counted(with.engine().steps(0), "step")),
                    .columns = steps_shown.atoms,
                    .rows = steps_shown.steps},
                   picture);
}

void ReasonCommand::count_right(ReasonSession& with, const ExampleSource& source, std::span<const BoundExample> these) {
    for (std::size_t e = 0; e < these.size(); ++e) {
        const auto value = [&](std::uint32_t atom) { return with.engine().value(atom, e); };
        scorer_->count(source, these[e], with.binder(), with.supervised(), value);
    }
}

void ReasonCommand::run_source(ReasonSession& base, ExampleSource& source) {
    const auto user_for = [&](const std::vector<std::string>& inputs) {
        const auto make = [&](const auto& named) { return std::make_unique<ReasonSession>(session, named); };
        ReasonSession& with = inputs.empty() ? base : others_.get(inputs, make);
        return ExampleUser{&with.binder(), base.compiled().loaded, [&](std::span<const BoundExample> these) {
                               run_examples(with, these, false);
                               count_right(with, source, these);
                               return true;
                           }};
    };
    ProgressMeter meter;
    const StreamSummary summary =
        run_stream(source, {.batch = given.batch, .doing = "reasoning", .progress = &meter}, user_for);
    meter.finish();
    if (!source.all_unreadable()) {
        if (!json)
            fmt::print("\n{} in {:.2f} s; {}; {}\n", counted(summary.examples, "example"), summary.seconds,
                       base.engine().description(), reasoning.description());
        fmt::print(json ? stderr : stdout, "{}", score_text(scorer_->score()));
    }
    finish_examples(source);
}

void ReasonCommand::run() {
    check_options();
    ReasonSession base(session, {});
    if (const std::unique_ptr<ExampleSource> source = given.open(base.compiled().program.signature))
        return run_source(base, *source);
    const BoundExample own;
    run_examples(base, {&own, 1}, true);
    if (!picture.empty()) draw(base);
}

}  // namespace

void add_reason_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("reason", "compute the probabilities of atoms, and their gradients");
    const auto options = std::make_shared<ReasonCommand>();
    command->add_option("PROGRAM", options->path, "a program file, a folder, or a saved graph")
        ->required()
        ->type_name("");
    options->given.add_to(*command);
    command->add_option("--positive", options->scoring.positive, "labels are numbers of classes: this one is positive")
        ->type_name("N");
    command->add_option("--threshold", options->scoring.threshold, "from which on a labelled atom counts as true")
        ->type_name("P")
        ->check(CLI::Range(0.0, 1.0).description(""))
        ->capture_default_str();
    options->reasoning.add_to(*command);
    command->add_flag("--history{queries}", options->history, "the values at every step; --history all: of every atom");
    command->add_option("--history-picture", options->picture, "draw the history: atoms across, steps down")
        ->type_name("FILE.svg");
    command->add_option("--gradients", options->gradients, "derivatives of the answers by inputs, weights, or both")
        ->delimiter(',')
        ->check(CLI::IsMember({"inputs", "weights"}))
        ->allow_extra_args(false)
        ->type_name("inputs,weights");
    command
        ->add_option("--weights", options->session.weights,
                     "clause weights, in the order of the program; replaces its own")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("W,...");
    command
        ->add_option("--top", options->top,
                     "answers to show for each query; 0 for all; default: 10, of many examples 3; --json has all")
        ->type_name("N");
    command->add_flag("--json", options->json, "one JSON object per example");
    command
        ->add_option("--engine", options->session.engine.name,
                     "graph; reference: double precision; tensor: the dense tensors of earlier reasoners")
        ->check(CLI::IsMember({"graph", "reference", "tensor"}))
        ->default_str("graph");
    options->given.pictures.add_to(*command, "Pictures", "--picture-batch");
    options->session.grounding.add_to(*command, true);
    options->session.reading.add_to(*command);
    command->footer(examples_text);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
