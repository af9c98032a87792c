#include "commands/train_baseline.h"

#include <memory>
#include <string>

#include <fmt/format.h>

#include <neumann/train.h>

#include "cli/text.h"
#include "cli/train_output.h"
#include "options/device_options.h"
#include "options/seed_option.h"
#include "print/training_report.h"

namespace neumann::app {
namespace {

constexpr const char* baseline_examples = R"help(Examples:
  neumann train baseline cnn --data figures                          pixels into a small residual network
  neumann train baseline cnn --size resnet18 --device cuda --batch 512 --data figures
  neumann train baseline mlp --data figures --network figures        a detector's objects, one after the other
  neumann train baseline set --data scenes --network slots --json    slots into a set transformer
  neumann train baseline set --data scenes --recipe paper --explanations 10

DIR has train/, val/ and, to report on in the end, test/: each with examples.jsonl, as `neumann generate --images`
writes it, or with a folder of images for every class (true/ and false/, or any names).)help";

struct BaselineCommand {
    BaselineTraining request;
    std::string curves;
    double time_limit = 0;
    bool json = false;

    void add_to(CLI::App& command) {
        command.add_option("MODEL", request.model, "cnn, mlp or set")
            ->required()
            ->check(CLI::IsMember({"cnn", "mlp", "set"}));
        command.add_option("--data", request.data, "folders of labelled images, for training and measuring")
            ->required()
            ->type_name("DIR");
        command.add_option("--size", request.size, "cnn: small (for a few cores) or resnet18 (for a GPU)")
            ->check(CLI::IsMember({"small", "resnet18"}))
            ->capture_default_str();
        command
            .add_option("--kind", request.kind,
                        "kind of objects: flat figures (images of 128x128) or solid objects"
                        " (192x128); auto: recognised from the first image")
            ->check(CLI::IsMember({"auto", "flat", "solid"}))
            ->capture_default_str();
        command
            .add_option("--network", request.object_network,
                        "mlp, set: detector of objects: figures, solids, slots or a file of weights; default: figures"
                        " for flat images, else solids for mlp and slots for set")
            ->type_name("NAME|FILE");
        command.add_option("--cache", request.seen, "mlp, set: keep the detected objects in this folder")
            ->type_name("DIR");
        command.add_option("-o,--output", request.weights, "file of weights to write")->type_name("FILE");
        command
            .add_option("--recipe", request.recipe,
                        "training recipe: ours is more accurate, paper is as published (docs/perception.md)")
            ->check(CLI::IsMember({"ours", "paper"}))
            ->capture_default_str();
        command
            .add_option(
                "--explanations", request.explanations,
                "set, CLEVR-Hans: weight of the penalty on attention to objects that a class's rule does not mention")
            ->check(CLI::PositiveNumber.description(""))
            ->type_name("R");
        command.add_option("--precision", request.precision, "cnn: single, or bfloat16 for more speed on a GPU")
            ->check(CLI::IsMember({"single", "bfloat16"}))
            ->capture_default_str();
        command.add_option("--epochs", request.epochs, "epochs; default: from the recipe")
            ->check(CLI::Range(1, 1'000'000).description(""))
            ->type_name("N");
        command.add_option("--batch", request.batch, "images in a batch; default: from the recipe")
            ->check(CLI::Range(1, 65'536).description(""))
            ->type_name("N");
        command.add_option("--lr", request.learning_rate, "learning rate; default: from the recipe")
            ->check(CLI::PositiveNumber.description(""))
            ->type_name("R");
        add_seed_option(command, request.seed, "random seed");
        add_device_options(command, request.device);
        command.add_option("--time-limit", time_limit, "stop after this time, and write the weights")->type_name("S");
        command.add_option("--curves", curves, "draw the learning curves")->type_name("FILE.svg");
        command.add_flag("--json", json, "print one JSON object at the end");
        command.footer(baseline_examples);
    }

    void run() const {
        require_outputs({request.weights}, curves);
        TrainingReport report(json, time_limit);
        const BaselineOutcome outcome = train_baseline(request, report);
        report.finish();
        if (!curves.empty()) report.draw(fmt::format("training {}", request.model), curves);
        if (json) {
            fmt::print("{}\n", baseline_json(request, outcome));
        } else {
            print_text(outcome);
        }
    }

    void print_text(const BaselineOutcome& outcome) const {
        fmt::print("accuracy\n");
        for (const auto& [name, accuracy] : outcome.measured) fmt::print("  {:<26} {:.4f}\n", name, accuracy);
        for (const auto& [name, accuracy] : outcome.per_class)
            fmt::print("  {:<26} {:.4f}\n",
                       fmt::format("{}: class {}", outcome.test_accuracy ? "test" : "validation", name), accuracy);
        fmt::print("{} after {} in {:.0f} s, kept is that after {}; {} parameters\n",
                   outcome.complete ? "done" : "stopped", counted(outcome.epochs, "epoch"), outcome.seconds,
                   outcome.best_epoch, outcome.parameters);
    }
};

}  // namespace

void add_train_baseline(CLI::App& train) {
    CLI::App* command = train.add_subcommand("baseline", "baselines: networks without logic that classify images");
    const auto options = std::make_shared<BaselineCommand>();
    options->add_to(*command);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
