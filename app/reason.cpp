// neumann reason: the probability of every atom that is asked for, example by example.
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/suggest.h"
#include "command.h"
#include "heat_map.h"
#include "program_options.h"
#include "progress_meter.h"
#include "reason/choose_kernel.h"
#include "reason_engine.h"
#include "reason_output.h"
#include "table.h"

namespace neumann::app {
namespace {

constexpr const char* examples_text = R"help(Examples:
  neumann reason family.nm                                  its own facts and queries
  neumann reason family.nm --query "ancestor(ann,X)" --history
  neumann reason scenes.nm --examples scenes.jsonl --json > answers.jsonl
  neumann reason scenes.nm --examples - --json < scenes.jsonl
  neumann reason family.nm --gradients inputs,weights       what the answers depend on
  neumann reason family.nm --history-picture proof.svg      atoms across, steps down
  neumann reason even/ --term-depth 10 --semantics paper --steps 5 --history all --json
  neumann reason saved.nmg --query "answer(red)"            starts in milliseconds

An example is a line {"id": "a", "atoms": {"color(obj0,red)": 0.9}}. An atom starts with the value of the example, else with
that of its fact, else with 0. docs/semantics.md has the formulas.)help";

struct ReasonCommand {
    std::string path;
    ReadingOptions reading;
    GroundingOptions grounding;
    std::string examples;
    std::string semantics = "softor";
    double gamma = default_gamma;
    std::string steps = "auto";
    std::string history;  // "", "queries" or "all"
    std::string picture;
    std::vector<std::string> gradients;
    std::vector<double> weights;
    EngineOptions engine;
    std::size_t batch = 64;
    std::optional<std::size_t> top;
    bool json = false;

    void run();

private:
    void check_options();
    void set_weights(ReasoningGraph& graph) const;
    void compile_again(const std::vector<std::string>& inputs);
    void run_batch(std::span<const Example> examples, bool alone);
    void run_file();

    LoadedProgram loaded_;
    std::unique_ptr<AtomNames> names_;
    std::unique_ptr<ReasonEngine> engine_;
    std::unique_ptr<ReasonOutput> output_;
    OutputOptions shown_;
};

[[noreturn]] void fail_unknown(std::string_view option, const std::string& name, std::vector<std::string> known) {
    throw UsageError(fmt::format("{}: there is no '{}'; {}", option, name,
                                 did_you_mean(name, known, fmt::format("known are {}", fmt::join(known, ", ")))));
}

std::optional<std::uint32_t> parse_steps(const std::string& text) {
    if (text == "auto") return std::nullopt;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr std::uint32_t most = 10'000'000;
    if (error != std::errc() || end != text.data() + text.size() || value > most)
        throw UsageError(fmt::format("--steps: expected a number of steps up to {}, or auto, not '{}'", most, text));
    return value;
}

void ReasonCommand::check_options() {
    const std::optional<Semantics> found = find_semantics(semantics);
    if (!found) {
        std::vector<std::string> known;
        for (const SemanticsInfo& one : all_semantics()) known.emplace_back(one.name);
        fail_unknown("--semantics", semantics, known);
    }
    engine.reason.semantics = *found;
    engine.reason.gamma = gamma;
    engine.reason.steps = parse_steps(steps);
    engine.reason.threads = grounding.ground.threads;
    engine.memory_limit = grounding.ground.memory_limit;
    if (!engine.reason.kernel.empty() && find_kernel(engine.reason.kernel) == nullptr) {
        std::vector<std::string> known;
        for (const Kernel* kernel : available_kernels()) known.emplace_back(kernel->name);
        fail_unknown("--kernel", engine.reason.kernel, known);
    }
    if (!(gamma >= least_gamma && gamma <= largest_gamma))
        throw UsageError(
            fmt::format("--gamma: expected a number from {} to {}, not {}", least_gamma, largest_gamma, gamma));
    const bool paper = *found == Semantics::Paper;
    if (paper && !engine.reason.steps)
        throw UsageError("--semantics paper needs --steps N: under it values creep up with every step, so there is no"
                         " number that is enough");
    if (engine.name == "tensor" && !engine.reason.steps) throw UsageError("--engine tensor needs --steps N");
    if (engine.name == "tensor" && !gradients.empty())
        throw UsageError("--engine tensor has no gradients; use --engine graph or reference");
    if (paper && !is_saved_graph(path)) {
        if (!grounding.mode_given()) {
            grounding.ground.mode = GroundMode::Full;
        } else if (grounding.ground.mode == GroundMode::Relevant) {
            fmt::print(stderr, "warning: under the paper's semantics atoms that cannot be derived creep up from 0, and"
                               " --mode relevant leaves them out: results differ from --mode full\n");
        }
    }
    shown_.history = !history.empty();
    shown_.history_of_all = history == "all";
    for (const std::string& one : gradients) {
        shown_.input_gradients = shown_.input_gradients || one == "inputs";
        shown_.weight_gradients = shown_.weight_gradients || one == "weights";
    }
    shown_.top = top.value_or(examples.empty() ? 10 : 3);
    shown_.semantics = semantics;
    shown_.gamma = gamma;
    shown_.uses_gamma = info(*found).uses_gamma;
    shown_.double_precision = engine.name != "graph";
    if (!picture.empty()) require_picture_name(picture);
    if (!picture.empty() && !examples.empty())
        throw UsageError(
            "--history-picture shows one example: leave out --examples, or put its atoms into the program");
}

void ReasonCommand::set_weights(ReasoningGraph& graph) const {
    if (weights.size() != graph.clause_count())
        throw UsageError(fmt::format("--weights: {} given for {}", counted(weights.size(), "weight"),
                                     counted(graph.clause_count(), "clause")));
    PodVector<double> values;
    for (const double weight : weights) {
        if (!(weight >= 0 && weight <= 1)) throw UsageError(fmt::format("--weights: {} is not in [0,1]", weight));
        values.push_back(weight);
    }
    graph.weight = SharedArray(std::move(values));
}

// Compiles the program, with the values of these predicates to come from examples, and asks its queries.
void ReasonCommand::compile_again(const std::vector<std::string>& inputs) {
    const bool again = !inputs.empty();
    grounding.inputs.insert(grounding.inputs.end(), inputs.begin(), inputs.end());
    ReadingOptions quiet = reading;
    if (again) quiet.no_warn.emplace_back("all");
    output_.reset();
    engine_.reset();
    names_.reset();
    loaded_ = compile_program(path, quiet, grounding, !engine.reason.steps);
    CompiledProgram& compiled = loaded_.compiled;
    if (!weights.empty()) set_weights(compiled.ground.graph);
    names_ = std::make_unique<AtomNames>(compiled);
    Diagnostics diagnostics;
    std::vector<AtomNames::QueryAtoms> queries;
    for (const std::string& text : grounding.queries.empty() ? compiled.queries : grounding.queries) {
        if (std::optional<AtomNames::QueryAtoms> query = names_->query(text, diagnostics))
            queries.push_back(std::move(*query));
    }
    if (diagnostics.has_errors()) {
        reading.show(diagnostics, *compiled.program.sources);
        throw CommandFailed();
    }
    engine_ = make_engine(loaded_, engine);
    output_ = std::make_unique<ReasonOutput>(compiled, std::move(queries), shown_);
}

void ReasonCommand::run_batch(std::span<const Example> batch_examples, bool alone) {
    const bool history_kept = shown_.history || !picture.empty();
    engine_->forward(batch_examples, history_kept         ? Keep::History
                                     : shown_.gradients() ? Keep::Backward
                                                          : Keep::Results);
    fmt::memory_buffer out;
    if (json) {
        output_->write_json(*engine_, batch_examples, out);
    } else {
        output_->write_text(*engine_, batch_examples, alone, out);
    }
    if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0)
        throw FileError("cannot write the results to standard output");
    if (picture.empty()) return;
    const ReasonOutput::History shown_steps = output_->history(*engine_, 0);
    write_heat_map({.title = path,
                    .subtitle = fmt::format("{} semantics{}, {}", semantics,
                                            shown_.uses_gamma ? fmt::format(", gamma {}", gamma) : "",
                                            counted(engine_->steps(0), "step")),
                    .columns = shown_steps.atoms,
                    .rows = shown_steps.steps},
                   picture);
}

void ReasonCommand::run_file() {
    using Clock = std::chrono::steady_clock;
    ExampleReader reader(examples);
    ExampleReader::Parsed parsed;
    ProgressMeter meter;
    std::uint64_t done = 0;
    const auto start = Clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    while (reader.next_lines(batch)) {
        reader.parse(*names_, loaded_.compiled, parsed);
        if (!parsed.no_inputs.empty()) {
            if (is_saved_graph(path)) {
                meter.finish();
                throw UsageError(fmt::format(
                    "{}: this saved graph was grounded as if {} had no values of its own; declare it neural, or reason"
                    " on the program instead of the graph",
                    examples, fmt::join(parsed.no_inputs, ", ")));
            }
            compile_again(parsed.no_inputs);
            reader.parse(*names_, loaded_.compiled, parsed);
        }
        run_batch(parsed.examples, false);
        done += parsed.examples.size();
        if (!parsed.failed.empty()) {
            meter.finish();
            fmt::print(stderr, "{}\n", parsed.failed);
            throw CommandFailed();
        }
        meter.update(fmt::format("reasoning, {} examples per second,",
                                 with_separators(static_cast<std::uint64_t>(static_cast<double>(done) / seconds()))),
                     done, 0);
    }
    meter.finish();
    if (!json)
        fmt::print("\n{} in {:.2f} s; {}; {} semantics{}\n", counted(done, "example"), seconds(),
                   engine_->description(), semantics, shown_.uses_gamma ? fmt::format(", gamma {}", gamma) : "");
}

void ReasonCommand::run() {
    check_options();
    try {
        compile_again({});
        if (examples.empty()) {
            const Example own{"null", 0, {}, {}};
            run_batch({&own, 1}, true);
        } else {
            run_file();
        }
    } catch (const ReasonError& error) {
        throw UsageError(error.what());
    } catch (const ExampleError& error) {
        fmt::print(stderr, "{}\n", error.what());
        throw CommandFailed();
    }
}

}  // namespace

void add_reason_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("reason", "compute the probabilities of atoms, and their gradients");
    const auto options = std::make_shared<ReasonCommand>();
    command->add_option("PROGRAM", options->path, "a program file, a folder, or a saved graph")
        ->required()
        ->type_name("");
    command
        ->add_option("--examples", options->examples,
                     "examples as JSON Lines; - for standard input; default: the program's facts")
        ->type_name("FILE");
    std::vector<std::string> names;
    for (const SemanticsInfo& one : all_semantics()) names.emplace_back(one.name);
    command->add_option("--semantics", options->semantics, fmt::format("{}", fmt::join(names, ", ")))
        ->type_name("NAME")
        ->default_str(names.front());
    command->add_option("--gamma", options->gamma, "how soft the soft-or is")->type_name("G")->default_str("0.01");
    command->add_option("--steps", options->steps, "a number of steps, or auto: as many as the program needs")
        ->type_name("N|auto")
        ->default_str("auto");
    command->add_flag("--history{queries}", options->history, "the values at every step; --history all: of every atom");
    command->add_option("--history-picture", options->picture, "draw the history: atoms across, steps down")
        ->type_name("FILE.svg");
    command->add_option("--gradients", options->gradients, "derivatives of the answers by inputs, weights, or both")
        ->delimiter(',')
        ->check(CLI::IsMember({"inputs", "weights"}))
        ->allow_extra_args(false)
        ->type_name("inputs,weights");
    command->add_option("--weights", options->weights, "clause weights, in the order of the program; replaces its own")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("W,...");
    command->add_option("--top", options->top, "answers to show for each example; 0 for all; --json has all")
        ->type_name("N");
    command->add_flag("--json", options->json, "one JSON object per example");
    command->add_option("--batch", options->batch, "examples computed together; results do not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 65536))
        ->default_str("64");
    command
        ->add_option("--engine", options->engine.name,
                     "graph; reference: double precision; tensor: the dense tensors of earlier reasoners")
        ->check(CLI::IsMember({"graph", "reference", "tensor"}))
        ->default_str("graph");
    command
        ->add_option("--kernel", options->engine.reason.kernel, "avx512, avx2 or baseline; default: the fastest here")
        ->type_name("NAME");
    options->grounding.add_to(*command, true);
    options->reading.add_to(*command);
    command->footer(examples_text);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
