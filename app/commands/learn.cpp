// neumann learn: the clauses, weights or probabilities of a program from examples.
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <neumann/learn.h>
#include <neumann/semantics.h>

#include "cli/files.h"
#include "cli/learn_output.h"
#include "command.h"
#include "commands/learn_commands.h"
#include "options/learn_options.h"
#include "options/reasoning_options.h"
#include "print/timed_meter.h"

namespace neumann::app {
namespace {

constexpr const char* learn_examples = R"help(Examples:
  neumann learn clauses delete.nm --train train.jsonl --val val.jsonl --test test.jsonl --out learned.nm
  neumann learn clauses --popper trains/ --out learned.nm
  neumann learn weights rules.nm --train labels.jsonl --out learned.nm
  neumann learn probabilities coins.nm --train coins.ev --out learned.nm

`neumann learn PROGRAM …` is `neumann learn clauses PROGRAM …`. docs/learning.md explains how learning works.)help";

constexpr const char* weights_examples = R"help(Examples:
  neumann learn weights rules.nm --train labels.jsonl --out learned.nm         t(_)::p(X) :- q(X).
  neumann learn weights rules.nm --train labels.jsonl --semantics exact --loss squared

t(_):: marks a weight to be learned, t(0.3):: one that starts at 0.3; everything else stays as it is.)help";

constexpr const char* probabilities_examples = R"help(Examples:
  neumann learn probabilities coins.nm --train coins.ev --out learned.nm       t(_)::heads(c1).
  neumann learn probabilities alarm.nm --train worlds.jsonl --test more.jsonl --method gradient

t(_):: marks a probability to be learned, t(0.3):: one that starts at 0.3. An example says what was observed in one
world: evidence(alarm,true). in files with lines "---" between examples, or {"atoms": {"alarm": 1}} as JSON Lines.)help";

// Iterations on standard error.
class IterationMeter : public TimedMeter {
public:
    IterationMeter(const LearnSettings& settings, const char* objective)
        : TimedMeter(settings.quiet, settings.options.time_limit, settings.output), quiet_(settings.quiet),
          iterations_(settings.options.parameters.iterations), objective_(objective) {}

    void iteration_done(std::uint32_t iteration, double now) override {
        if (!quiet_) meter_.update(fmt::format("learning, {} {:.6g}", objective_, now), iteration, iterations_);
    }
    void finish() {
        meter_.finish();
        TimedMeter::finish();
    }
    ProgressMeter& compiling() { return meter_; }

private:
    bool quiet_;
    std::uint32_t iterations_;
    const char* objective_;
    ProgressMeter meter_;
};

void learn_numbers(LearnSettings& settings, const char* objective) {
    if (settings.task.train.empty()) throw UsageError("there is nothing to learn from: give --train");
    settings.read();
    IterationMeter meter(settings, objective);
    if (!settings.quiet) settings.task.reading.progress = meter.compiling().function();
    const LearnResult result = learn(settings.task, settings.options, &meter, &InterruptGuard::requested());
    meter.finish();
    const LearnOrigin origin{settings.task.program.string(), settings.options.seed, meter.timed_out(), false};
    if (!settings.output.empty()) write_file(settings.output, program_text(result, origin));
    fmt::print("{}", settings.json ? result_json(result, origin) + "\n" : result_text(result, origin));
}

struct WeightsCommand : LearnSettings {
    DescentOptions descent;
    std::string loss = "cross-entropy";
    std::string semantics{default_semantics_name};
    std::string steps = "auto";

    void add_to(CLI::App& app) {
        options.parameters.method = ParameterMethod::Gradient;
        add_task(app, LearnGoal::Weights, "a program file, or a folder of the original with --modes",
                 "labelled examples, as JSON Lines", "random seed of weights without a first value, t(_)");
        app.add_option("--loss", loss, "loss of a label")
            ->check(CLI::IsMember({"cross-entropy", "squared"}))
            ->capture_default_str()
            ->group("Optimisation");
        descent.add_to(app, options.parameters);
        app.add_option("--semantics", semantics, "a semantics with gradients")
            ->check(CLI::IsMember(semantics_names(false)))
            ->capture_default_str()
            ->group(reasoning_group);
        add_gamma_and_steps(app, options.gamma, steps);
        add_output(app, "write the program with its learned weights here");
        app.footer(weights_examples);
    }

    void run() {
        descent.put_into(options.parameters);
        options.loss = loss == "squared" ? WeightLossKind::Squared : WeightLossKind::CrossEntropy;
        options.semantics = semantics;
        options.steps = parse_steps(steps);
        for (const SemanticsSummary& one : known_semantics()) {
            if (one.name == semantics && one.needs_steps && !options.steps)
                throw UsageError(fmt::format("--semantics {} needs --steps N", semantics));
        }
        learn_numbers(*this, "loss");
    }
};

struct ProbabilitiesCommand : LearnSettings {
    DescentOptions descent;
    std::string method = "em";

    void add_to(CLI::App& app) {
        add_task(app, LearnGoal::Probabilities, "a program file, or a folder of the original with --modes",
                 "observations: JSON Lines, or evidence with lines --- between examples",
                 "random seed of probabilities without a first value, t(_)");
        app.add_option("--method", method, "expectation maximisation, or gradient ascent on the likelihood")
            ->check(CLI::IsMember({"em", "gradient"}))
            ->capture_default_str()
            ->group("Optimisation");
        descent.add_to(app, options.parameters);
        add_output(app, "write the program with its learned probabilities here");
        app.footer(probabilities_examples);
    }

    void run() {
        options.parameters.method = method == "em" ? ParameterMethod::Em : ParameterMethod::Gradient;
        if (method == "em") refuse_with(*command, "--method em", {"--lr", "--optimiser"});
        descent.put_into(options.parameters);
        learn_numbers(*this, "log-likelihood");
    }
};

template <class Command>
void add_goal(CLI::App& learn, const char* name, const char* summary) {
    auto options = std::make_shared<Command>();
    CLI::App* const command = learn.add_subcommand(name, summary);
    options->add_to(*command);
    command->callback([options] { options->run(); });
}

}  // namespace

void add_gamma_and_steps(CLI::App& app, double& gamma, std::string& steps) {
    app.add_option("--gamma", gamma, "temperature of the semantics softor")
        ->type_name("G")
        ->check(CLI::Range(least_gamma, largest_gamma).description(""))
        ->capture_default_str()
        ->group(reasoning_group);
    app.add_option("--steps", steps, "steps of reasoning")
        ->type_name("T|auto")
        ->capture_default_str()
        ->group(reasoning_group);
}

void add_learn_command(CLI::App& app) {
    CLI::App* const learn = app.add_subcommand("learn", "learn the clauses, weights or probabilities of a program");
    learn->require_subcommand(1);
    add_clauses_command(*learn);
    add_goal<WeightsCommand>(*learn, "weights", "learn the weights marked t(_):: from labels");
    add_goal<ProbabilitiesCommand>(*learn, "probabilities", "learn the probabilities marked t(_):: from observations");
    learn->footer(learn_examples);
}

}  // namespace neumann::app
