// neumann reason: the probability of every atom that is asked for, example by example.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <neumann/convert.h>
#include <neumann/error.h>
#include <neumann/examples.h>
#include <neumann/session.h>

#include "cli/files.h"
#include "cli/model_count_output.h"
#include "cli/reason_output.h"
#include "cli/text.h"
#include "command.h"
#include "options/example_options.h"
#include "options/output_files.h"
#include "options/program_options.h"
#include "options/reasoning_options.h"
#include "options/seed_option.h"
#include "print/progress_meter.h"

namespace neumann::app {
namespace {

constexpr const char* reason_examples = R"help(Examples:
  neumann reason family.nm                                  its own facts and queries
  neumann reason family.nm --query "ancestor(ann,X)" --history
  neumann reason scenes.nm --examples scenes.jsonl --json > answers.jsonl
  neumann reason scenes.nm --examples - --json < scenes.jsonl
  neumann reason figures.nm --images figures/test          images, with accuracy if they have labels
  neumann reason figures.nm --images a.png b.png --json
  neumann reason questions.nm --images view.png --ask "query3(q,q_delete,gray,2nd)"
  neumann reason alarm.nm --semantics exact                 probabilities as ProbLog defines them
  neumann reason alarm.nm --semantics exact --mpe           the most probable explanation of the evidence
  neumann reason alarm.nm --semantics noisy-or --compare exact
  neumann reason alarm.nm --semantics sample --samples 1000000
  neumann reason alarm.nm --semantics topk --k 100          bounds, from the 100 most probable proofs
  neumann reason family.nm --gradients inputs,weights       derivatives of the answers
  neumann reason family.nm --history-picture proof.svg      atoms across, steps down
  neumann reason even/ --term-depth 10 --semantics paper --steps 5 --history all --json
  neumann reason problem.cnf --json                         its models, counted or weighed
  neumann reason saved.nmg --query "answer(red)"            starts in milliseconds

An example is a line {"id": "a", "atoms": {"color(obj0,red)": 0.9}}. An atom starts with the value of the example, else with
that of its fact, else with 0. docs/semantics.md has the formulas.)help";

struct ReasonCommand {
    SessionOptions session;
    ReadingOptions reading;
    GroundingOptions grounding;
    OutputOptions shown;
    std::string path;
    ExampleOptions given;
    ScoreOptions scoring;
    ReasoningOptions reasoning;
    std::string engine{default_engine_name};
    std::uint64_t samples = ReasonerOptions().samples;
    std::uint64_t seed = ReasonerOptions().seed;
    std::uint32_t k = ReasonerOptions().k;
    std::string history;  // "", "queries" or "all"
    std::string picture;
    std::string compare;  // "" or "exact"
    std::vector<std::string> gradients;
    std::optional<std::size_t> top;
    std::string method = ReasonerOptions().exact_method;
    double time_limit = 0;
    bool samples_given = false;  // how many, or their seed
    bool k_given = false;
    bool json = false;

    void run();

private:
    bool counts_models() const;
    void count() const;
    void settle_engine();
    void check_options();
    void check_worlds_options();
    Model compile(const ModelRequest& request) const;
    void print(Session& with, bool alone) const;
    void run_source(Session& base, ExampleSource& source) const;
    void draw(const Session& with) const;
};

// Bounds were printed instead of the requested values.
void refuse_bounds(const std::optional<std::string>& problem) {
    if (problem) throw Error(fmt::format("error: {}. What is printed are bounds", *problem));
}

// "sample or topk": the semantics that have a law.
std::string semantics_with(bool SemanticsSummary::*law) {
    std::vector<std::string_view> names;
    for (const SemanticsSummary& one : known_semantics())
        if (one.*law) names.push_back(one.name);
    return fmt::format("{}", fmt::join(names, " or "));
}

// Of exact probabilities and their estimates.
void ReasonCommand::check_worlds_options() {
    session.reason.samples = samples;
    session.reason.seed = seed;
    session.reason.k = k;
    const SemanticsSummary& laws = semantics_summary(reasoning.semantics);
    if (samples_given && !laws.takes_samples)
        throw UsageError(fmt::format("--samples and --seed are for --semantics {}: nothing else is left to chance",
                                     semantics_with(&SemanticsSummary::takes_samples)));
    if (k_given && !laws.takes_k)
        throw UsageError(fmt::format("--k is for --semantics {}: nothing else counts proofs",
                                     semantics_with(&SemanticsSummary::takes_k)));
    shown.intervals = laws.has_bounds;
    shown.step_name = laws.step_name;
    if (!laws.takes_engine && engine != default_engine_name)
        throw UsageError(fmt::format("--semantics {} has no engines: leave out --engine", reasoning.semantics));
    if (!laws.takes_engine && !reasoning.kernel.empty())
        throw UsageError(fmt::format("--semantics {} has no kernels: leave out --kernel", reasoning.semantics));
    if (laws.is_exact && !compare.empty())
        throw UsageError("--compare exact is for other semantics: these values are exact");
    session.compare_exact = shown.compare_exact = !compare.empty();
    session.reason.time_limit = time_limit;
    if (method != session.reason.exact_method && !laws.is_exact && compare.empty())
        throw UsageError("--method is for --semantics exact: nothing else is compiled by it");
    if (method != session.reason.exact_method && shown.world)
        throw UsageError("--mpe goes through decision diagrams: leave out --method");
    session.reason.exact_method = method;
    if (shown.world && !laws.needs_compilation)
        throw UsageError(fmt::format("--mpe is for --semantics {}: nothing else looks at all worlds",
                                     semantics_with(&SemanticsSummary::needs_compilation)));
    session.most_probable_world = shown.world;
    session.bounds_at_limit = true;
}

// With images, --device is first that of the network, for every engine.
void ReasonCommand::settle_engine() {
    const std::string& device = given.pictures.device.device;
    const std::string there = engine_on(device, !given.images.empty());
    if (there == default_engine_name || (!given.images.empty() && engine != default_engine_name)) return;
    if (engine != default_engine_name && engine != there)
        throw UsageError(fmt::format("--engine {} is not for --device {}: leave one of them out", engine, device));
    const SemanticsSummary* const laws = find_known_semantics(reasoning.semantics);
    if (laws == nullptr || laws->takes_engine) {  // null: an error reported elsewhere
        engine = there;
    } else if (find_known_engine(there)->needs_device) {
        throw UsageError(
            fmt::format("--device {}: --semantics {} runs on the processor alone", device, reasoning.semantics));
    }
}

void ReasonCommand::check_options() {
    settle_engine();
    session.reason = reasoning.resolve(path, grounding);
    session.reason.engine = engine;
    check_worlds_options();
    session.queries = grounding.queries;
    const EngineSummary& with = *find_known_engine(engine);
    if (with.needs_steps && !session.reason.steps) throw UsageError(fmt::format("--engine {} needs --steps N", engine));
    if (!with.has_gradients && !gradients.empty())
        throw UsageError(fmt::format("--engine {} has no gradients; use --engine graph or reference", engine));
    shown.history = !history.empty();
    shown.history_of_all = history == "all";
    for (const std::string& one : gradients) {
        shown.input_gradients = shown.input_gradients || one == "inputs";
        shown.weight_gradients = shown.weight_gradients || one == "weights";
    }
    session.history = shown.history || !picture.empty();
    session.input_gradients = shown.input_gradients;
    session.weight_gradients = shown.weight_gradients;
    shown.all_answers = shown.all_answers || given.many();  // every example has the same columns
    shown.top = top.value_or(given.many() ? 3 : 10);
    shown.semantics = reasoning.semantics;
    shown.grounding = language_of(path).several_groundings;
    shown.gamma = reasoning.gamma;
    shown.uses_gamma = semantics_summary(reasoning.semantics).uses_gamma;
    shown.double_precision = with.double_precision;
    if (given.many() && !json && (shown.history || shown.gradients() || shown.world))
        throw UsageError("--history, --gradients and --mpe of many examples are for programs: add --json");
    if (!picture.empty()) require_svg_name(picture);
    if (!picture.empty() && given.many())
        throw UsageError(
            fmt::format("--history-picture shows one example: leave out {}, or put its atoms into the program",
                        given.examples.empty() ? "--images" : "--examples"));
    given.check("--query is what to print");
    given.pictures.device.threads = grounding.threads;
}

Model ReasonCommand::compile(const ModelRequest& request) const {
    ReadingOptions how = reading;
    if (!request.inputs.empty()) how.no_warn.emplace_back("all");  // the first compilation has printed the warnings
    GroundingOptions ground = grounding;
    ground.inputs = request.inputs;
    return open_model(path, how, ground);
}

void ReasonCommand::print(Session& with, bool alone) const {
    const ReasonOutput output(shown);
    std::string out;
    if (json) {
        output.write_json(with, out);
    } else {
        output.write_text(with, alone, out);
    }
    if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0)
        throw FileError("cannot write the results to standard output");
}

void ReasonCommand::draw(const Session& with) const {
    const ReasonOutput::History steps_shown = ReasonOutput(shown).history(with, 0);
    const std::string subtitle = fmt::format("{}, {}", reasoning.description(), counted(with.steps(0), "step"));
    write_file(picture, history_svg(steps_shown.atoms, steps_shown.steps,
                                    std::filesystem::path(path).filename().string(), subtitle));
}

void ReasonCommand::run_source(Session& base, ExampleSource& source) const {
    ProgressMeter meter;
    base.count_right(scoring);
    std::optional<std::string> problem;
    const StreamSummary summary = base.run(
        source, {.batch = given.batch, .doing = "reasoning", .progress = meter.function()}, [&](Session& with) {
            print(with, false);
            if (with.limit_problem()) problem = with.limit_problem();
            return true;
        });
    meter.finish();
    if (!source.all_unreadable()) {
        if (!json)
            fmt::print("\n{} in {:.2f} s; {}; {}\n", counted(summary.examples, "example"), summary.seconds,
                       base.description(), reasoning.description());
        fmt::print(json ? stderr : stdout, "{}", score_text(base.score()));
    }
    finish_examples(source);
    refuse_bounds(problem);
}

// A CNF without anything that is asked of a program.
bool ReasonCommand::counts_models() const {
    return language_of(path).name == "cnf" && reasoning.semantics == exact_semantics_name && !given.many() &&
           grounding.queries.empty() && gradients.empty() && history.empty() && picture.empty() &&
           session.weights.empty() && !shown.world && compare.empty() && engine == default_engine_name;
}

void ReasonCommand::count() const {
    ProgressMeter meter;
    ReasonerOptions limits;
    limits.memory_limit = grounding.limits.memory_limit;
    limits.time_limit = time_limit;
    limits.progress = meter.function();
    ModelOptions how;
    reading.put_into(how);
    const ModelCount found = count_models(path, how, limits);
    meter.finish();
    for (const std::string& note : found.notes) fmt::print(stderr, "note: {}\n", note);
    fmt::print("{}", json ? model_count_json(found) : model_count_text(found));
}

void ReasonCommand::run() {
    reasoning.settle_semantics(path);
    if (counts_models()) return count();
    check_options();
    ProgressMeter meter;
    if (!given.many()) session.reason.progress = meter.function();
    Session base([this](const ModelRequest& request) { return compile(request); }, session);
    if (const std::unique_ptr<ExampleSource> source = given.open(base.model())) return run_source(base, *source);
    base.run_own_facts();
    meter.finish();
    print(base, true);
    refuse_bounds(base.limit_problem());
    if (!picture.empty()) draw(base);
}

// "graph; reference: double precision; …"
std::string engines_help() {
    std::string help(default_engine_name);
    for (const EngineSummary& one : known_engines())
        if (one.name != default_engine_name) help += fmt::format("; {}: {}", one.name, one.summary);
    return help;
}

std::vector<std::string> engine_names() {
    std::vector<std::string> names;
    for (const EngineSummary& one : known_engines()) names.emplace_back(one.name);
    return names;
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
    command
        ->add_option("--threshold", options->scoring.threshold,
                     "a labelled atom counts as true from this value upwards")
        ->type_name("P")
        ->check(CLI::Range(0.0, 1.0).description(""))
        ->capture_default_str();
    options->reasoning.add_to(*command);
    command->add_flag("--history{queries}", options->history,
                      "print the values at every step; --history all: of every atom");
    command->add_option("--history-picture", options->picture, "draw the history: atoms across, steps down")
        ->type_name("FILE.svg");
    command
        ->add_option("--gradients", options->gradients,
                     "print the derivatives of the answers by inputs, weights, or both")
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
    command->add_flag("--all-answers", options->shown.all_answers,
                      "list atoms of value 0, too; default: only if a query names them");
    command->add_flag("--json", options->json, "one JSON object per example");
    command->add_option("--engine", options->engine, engines_help())
        ->check(CLI::IsMember(engine_names()))
        ->default_str(options->engine);
    command
        ->add_option("--time-limit", options->time_limit,
                     "end after this time; exact: with bounds where values are too hard; default: none")
        ->type_name("SECONDS");
    command
        ->add_option("--method", options->method,
                     "exact: compile to decision diagrams, as sums over rules that exclude each other, by tables of "
                     "variables that are summed out, or by exhaustive search; default: whichever is forecast to cost "
                     "least (--json prints the choice)")
        ->check(CLI::IsMember({"auto", "diagrams", "sums", "tables", "search"}))
        ->default_str(options->method);
    command->add_option("--samples", options->samples, "sample: number of random worlds; more make narrower intervals")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000'000).description(""))
        ->capture_default_str();
    add_seed_option(*command, options->seed, "sample: the same seed gives the same worlds");
    command->add_option("--k", options->k, "topk: number of proofs for each answer; more make narrower bounds")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000).description(""))
        ->capture_default_str();
    command->add_option("--compare", options->compare, "also print the exact value of every answer, and the difference")
        ->check(CLI::IsMember({std::string(exact_semantics_name)}))
        ->type_name("exact");
    command->add_flag("--mpe", options->shown.world,
                      "exact: print the most probable world that agrees with the evidence");
    options->given.pictures.add_to(*command, "Images", "--picture-batch");
    options->grounding.add_to(*command, true);
    options->reading.add_to(*command);
    command->footer(reason_examples);
    command->callback([options, command] {
        options->k_given = command->count("--k") > 0;
        options->samples_given = command->count("--samples") + command->count("--seed") > 0;
        options->run();
    });
}

}  // namespace neumann::app
