// neumann learn: the clauses of a predicate from examples.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analyse/analyse.h"
#include "base/atomic_file.h"
#include "command.h"
#include "ground/limit.h"
#include "learn/learn_error.h"
#include "learn_report.h"
#include "logic/print.h"
#include "model/json_lines.h"
#include "model/labelled_examples.h"
#include "program_options.h"

namespace neumann::app {
namespace {

struct LearnCommand {
    std::filesystem::path path;
    ReadingOptions reading;
    GroundOptions ground;
    std::string train;
    std::string validation;
    std::string test;
    std::string output;
    bool json = false;
    LearnOptions learn;
    double time_limit = 0;
    std::string semantics = "clausewise";

    void run();
};

std::atomic<bool> stop_requested{false};
extern "C" void request_stop(int) { stop_requested = true; }

void LearnCommand::run() {
    Diagnostics diagnostics = reading.make_diagnostics();
    reading.require_fitting(path);
    LearningInput input;
    input.program = load_program(path, reading.load, diagnostics);
    Program& program = input.program;
    if (program.vocabulary_complete) {
        std::erase_if(program.clauses, [&](const Clause& clause) {
            return std::ranges::find(program.learn, clause.head.predicate, &LearnTarget::predicate) !=
                   program.learn.end();
        });
        analyse(program, {}, diagnostics);
    }
    reading.show(diagnostics, *program.sources);
    if (diagnostics.has_errors()) throw CommandFailed();
    ExampleSet test_set;
    input.train = read_labelled_examples(train, program, input.pool);
    if (!validation.empty()) input.validation = read_labelled_examples(validation, program, input.pool);
    if (!test.empty()) test_set = read_labelled_examples(test, program, input.pool);
    learn.learning.semantics = *find_semantics(semantics);
    learn.learning.threads = ground.threads;
    learn.reasoning.threads = ground.threads;
    std::signal(SIGINT, request_stop);
    LearnReport report(false, time_limit);
    Journal journal;
    std::optional<LearnedProgram> learned;
    learned = learn_program(input, learn, ground, journal, &report, &stop_requested, diagnostics);
    const auto accuracy = [&](const ExampleSet& set) {
        return run_program(input.program, input.pool, set, learn.reasoning, ground, diagnostics).accuracy(0.5);
    };
    nlohmann::ordered_json result;
    for (const LearnedClause& clause : learned->clauses) {
        result["program"].push_back(clause.text);
        result["weights"].push_back(clause.weight);
    }
    result["train_accuracy"] = accuracy(input.train);
    if (!validation.empty()) result["val_accuracy"] = accuracy(input.validation);
    if (!test.empty()) result["test_accuracy"] = accuracy(test_set);
    result["soft_accuracy"] = learned->soft_accuracy;
    result["seconds"] = report.seconds();
    result["rounds"] = learned->rounds;
    result["clauses_scored"] = learned->clauses_scored;
    fmt::print("{}\n", result.dump());
}

}  // namespace

void add_learn_command(CLI::App& app) {
    auto options = std::make_shared<LearnCommand>();
    CLI::App* command = app.add_subcommand("learn", "learn clauses from examples");
    command->add_option("program", options->path, "a program file or a folder of the original")
        ->type_name("PROGRAM")
        ->required();
    command->add_option("--train", options->train)->type_name("FILE")->required();
    command->add_option("--val", options->validation)->type_name("FILE");
    command->add_option("--test", options->test)->type_name("FILE");
    command->add_option("--trials", options->learn.search.trials);
    command->add_option("--samples", options->learn.search.samples);
    command->add_option("--reserves", options->learn.search.reserves);
    command->add_option("--beta", options->learn.search.beta);
    command->add_option("--uniform-weight", options->learn.search.uniform_weight);
    command->add_option("--negative-rounds", options->learn.search.negative_rounds);
    command->add_option("--epochs", options->learn.weights.epochs);
    command->add_option("--batch", options->learn.weights.batch);
    command->add_option("--lr", options->learn.weights.optimiser.rate);
    command->add_option("--restarts", options->learn.weights.restarts);
    command->add_option("--patience", options->learn.weights.patience);
    command->add_option("--steps", options->learn.learning.steps);
    command->add_option("--max-body", options->learn.search.bounds.max_body);
    command->add_option("--max-vars", options->learn.search.bounds.max_variables);
    command->add_option("--program-size", options->learn.program_size);
    command->add_option("--learn-semantics", options->semantics);
    command->add_option("--seed", options->learn.seed);
    command->add_option("--threads", options->ground.threads);
    command->add_flag("--json", options->json);
    options->reading.add_to(*command);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
