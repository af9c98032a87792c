// neumann train: trains perception networks and neural predicates.
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <neumann/train.h>

#include "cli/text.h"
#include "command.h"
#include "commands/train_baseline.h"
#include "commands/train_through_logic.h"
#include "options/device_options.h"
#include "options/seed_option.h"
#include "print/progress_meter.h"
#include "print/training_report.h"

namespace neumann::app {
namespace {

constexpr const char* detector_examples = R"help(Examples:
  neumann train detector -o figures.safetensors                     flat figures, on two cores in minutes
  neumann train detector --kind solid --device cuda --render cuda -o solids.safetensors
  neumann train detector --without color -o no_colour.safetensors   for neumann train through-logic
  neumann train detector -o own.safetensors --data set              from images of neumann generate --images)help";

constexpr const char* slots_examples = R"help(Examples:
  neumann train slots --device cuda -o slots.safetensors --detector solids.safetensors
  neumann train slots -o slots.safetensors --time-limit 500         stops with a checkpoint …
  neumann train slots -o slots.safetensors --resume                 … and goes on from there)help";

constexpr const char* predicates_examples = R"help(Examples:
  neumann train predicates -o predicates.safetensors
  neumann train predicates -o predicates.safetensors --samples 100000 --json)help";

constexpr const char* train_examples = R"help(Examples:
  neumann train detector -o figures.safetensors                     flat figures, on two cores in minutes
  neumann train detector --kind solid --device cuda --render cuda -o solids.safetensors
  neumann train slots --device cuda -o slots.safetensors --detector solids.safetensors
  neumann train slots -o slots.safetensors --time-limit 500         stops with a checkpoint …
  neumann train slots -o slots.safetensors --resume                 … and goes on from there
  neumann train predicates -o predicates.safetensors
  neumann perceive picture.png --network figures.safetensors

Pictures are made as they are needed, or read from data sets of `neumann generate --images` (--data).)help";

struct ObjectCommand {
    ObjectTraining request;
    std::string kind = "flat";
    std::string curves;
    double time_limit = 0;
    bool json = false;

    void add_to(CLI::App& command, bool is_detector) {
        command.add_option("-o,--output", request.weights, "the file of weights to write")
            ->required()
            ->type_name("FILE");
        if (is_detector) {
            command.add_option("--kind", kind, "kind of objects: flat figures or solid objects")
                ->check(CLI::IsMember({"flat", "solid"}))
                ->default_str("flat");
            command
                .add_option("--without", request.left_out,
                            "attribute to leave untrained: it stays at its random values")
                ->type_name("ATTRIBUTE");
        } else {
            command
                .add_option("--detector", request.other_weights,
                            "also write the dense detector that is trained with the slots")
                ->type_name("FILE");
        }
        command.add_option("--steps", request.steps, "number of batches; default: 1600 flat, 24000 solid")
            ->type_name("N")
            ->check(CLI::Range(1, 1'000'000'000));
        command.add_option("--batch", request.batch, "images in a batch; default: 64 flat, 512 solid")
            ->type_name("N")
            ->check(CLI::Range(2, 65536));
        command.add_option("--lr", request.learning_rate, "learning rate; default: 0.003 flat, 0.001 solid")
            ->type_name("R")
            ->check(CLI::Range(1e-9, 10.0));
        command.add_option("--pictures", request.pictures, "different images; default: 24000 flat, 100000 solid")
            ->type_name("N")
            ->check(CLI::Range(1, 10'000'000));
        command.add_option("--data", request.data, "train on these data sets (folders with train/ and val/) instead")
            ->type_name("DIR");
        add_seed_option(command, request.seed, "random seed");
        add_device_options(command, request.device);
        command.add_option("--render", request.render, "device that draws solid objects: cpu or cuda")
            ->check(CLI::IsMember({"cpu", "cuda"}))
            ->default_str("cpu");
        command
            .add_option("--rows", request.rows,
                        "share of solid images with rows of large objects, as in the tasks of lists and questions;"
                        " 0: none")
            ->type_name("SHARE")
            ->check(CLI::Range(0.0, 1.0))
            ->default_str("0");
        command.add_option("--validation", request.validation_pictures, "validation images")
            ->type_name("N")
            ->check(CLI::Range(1, 1'000'000));
        command.add_option("--measure-every", request.measure_every, "steps between measurements")
            ->type_name("N")
            ->check(CLI::Range(1, 1'000'000'000));
        command
            .add_option("--checkpoint", request.checkpoint,
                        "file of the checkpoint; default:"
                        " OUTPUT.checkpoint")
            ->type_name("FILE");
        command.add_option("--checkpoint-every", request.checkpoint_every, "steps between checkpoints")
            ->type_name("N")
            ->check(CLI::Range(1, 1'000'000'000))
            ->default_str("1000");
        command.add_flag("--resume", request.resume, "continue from the checkpoint");
        command.add_option("--time-limit", time_limit, "stop after this time, with a checkpoint")
            ->type_name("S")
            ->check(CLI::NonNegativeNumber);
        command.add_option("--curves", curves, "draw the learning curves")->type_name("FILE.svg");
        command.add_flag("--json", json, "print one JSON object at the end");
        command.footer(is_detector ? detector_examples : slots_examples);
    }

    // Checked before images are generated.
    void require_possible() const {
        std::error_code ignored;
        if (!request.resume && std::filesystem::exists(request.checkpoint, ignored))
            throw UsageError(
                fmt::format("'{}' is what a training that was not finished has left: go on with --resume, or "
                            "remove it to begin anew",
                            request.checkpoint.string()));
        if (request.rows > 0 && request.network == "figures")
            throw UsageError("--rows: flat figures have none; it goes with --kind solid");
        if (request.rows > 0 && !request.data.empty())
            throw UsageError("--rows is about pictures that are made; those of --data are as they are");
        if (request.render == "cuda" && !can_render_on_cuda())
            throw UsageError("--render cuda: there is no GPU that this program can draw with; leave it out");
    }

    void run(const std::string& network) {
        request.network = network;
        if (request.checkpoint.empty()) request.checkpoint = request.weights.string() + ".checkpoint";
        require_possible();
        require_outputs({request.weights, request.other_weights, request.checkpoint}, curves);
        TrainingReport report(json, time_limit);
        const TrainingOutcome outcome = train_objects(request, report);
        report.finish();
        std::error_code ignored;
        if (outcome.complete) std::filesystem::remove(request.checkpoint, ignored);  // the unfinished checkpoint
        if (!curves.empty()) report.draw(fmt::format("training {}", network), curves);
        if (json) {
            nlohmann::ordered_json result{{"network", network},
                                          {"steps", outcome.steps},
                                          {"complete", outcome.complete},
                                          {"seconds", outcome.seconds},
                                          {"weights", request.weights.string()}};
            for (const auto& [name, value] : outcome.measured) result["measured"][name] = value;
            fmt::print("{}\n", result.dump());
            return;
        }
        for (const auto& [name, value] : outcome.measured) fmt::print("  {:<22} {:.4f}\n", name, value);
        fmt::print("{} after {} in {:.0f} s: {}\n", outcome.complete ? "done" : "stopped",
                   counted(outcome.steps, "step"), outcome.seconds, request.weights.string());
        if (!outcome.complete)
            fmt::print("go on with the same command and --resume (checkpoint: {})\n", request.checkpoint.string());
    }
};

struct PredicatesCommand {
    PredicateTrainingOptions options;
    std::string output;
    bool json = false;

    void run() {
        ProgressMeter meter;
        const std::vector<TrainedPredicate> trained = train_predicates(options, output, meter.function());
        meter.finish();
        if (json) {
            nlohmann::ordered_json result = nlohmann::ordered_json::array();
            for (const TrainedPredicate& one : trained)
                result.push_back({{"predicate", one.name},
                                  {"weight", one.weight},
                                  {"bias", one.bias},
                                  {"threshold", one.threshold},
                                  {"train_accuracy", one.train_accuracy},
                                  {"test_accuracy", one.test_accuracy},
                                  {"scene_accuracy", one.scene_accuracy}});
            fmt::print("{}\n", result.dump());
            return;
        }
        fmt::print("{:<18} {:>10} {:>10} {:>8} {:>8} {:>8}\n", "predicate", "weight", "threshold", "train", "test",
                   "scenes");
        for (const TrainedPredicate& one : trained)
            fmt::print("{:<18} {:>10.2f} {:>10.4f} {:>8.4f} {:>8.4f} {:>8.4f}\n", one.name, one.weight, one.threshold,
                       one.train_accuracy, one.test_accuracy, one.scene_accuracy);
    }
};

void add_objects(CLI::App& train, const char* name, const char* summary, bool is_detector) {
    CLI::App* command = train.add_subcommand(name, summary);
    const auto options = std::make_shared<ObjectCommand>();
    options->add_to(*command, is_detector);
    command->callback([options, is_detector] {
        options->run(!is_detector ? "slots" : options->kind == "flat" ? "figures" : "solids");
    });
}

}  // namespace

void add_train_command(CLI::App& app) {
    CLI::App* train = app.add_subcommand("train", "train the networks that recognise objects in images");
    train->require_subcommand(1);
    train->footer(train_examples);
    add_objects(*train, "detector", "a dense detector of objects, flat or solid", true);
    add_objects(*train, "slots", "slot attention for solid objects", false);
    add_train_through_logic(*train);
    add_train_baseline(*train);
    CLI::App* predicates = train->add_subcommand("predicates", "relations between objects, from generated scenes");
    const auto options = std::make_shared<PredicatesCommand>();
    predicates->add_option("-o,--output", options->output, "the file of weights to write")
        ->required()
        ->type_name("FILE");
    add_seed_option(*predicates, options->options.seed, "random seed of the scenes");
    predicates->add_option("--samples", options->options.samples, "samples for each relation")
        ->type_name("N")
        ->check(CLI::Range(2, 100'000'000))
        ->default_str("20000");
    predicates->add_flag("--json", options->json, "a JSON array instead of a table");
    predicates->footer(predicates_examples);
    predicates->callback([options] { options->run(); });
}

}  // namespace neumann::app
