#include "commands/train_through_logic.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <neumann/train.h>

#include "cli/text.h"
#include "command.h"
#include "options/device_options.h"
#include "options/program_options.h"
#include "options/reasoning_options.h"
#include "options/seed_option.h"
#include "print/training_report.h"

namespace neumann::app {
namespace {

constexpr const char* through_logic_examples = R"help(Examples:
  neumann train detector --without color -o no_colour.safetensors
  neumann train through-logic examples/joint/red_left_of_blue.nm --images pictures/train/pictures.jsonl \
      --network no_colour.safetensors --learn color -o colour.safetensors
  neumann perceive image.png --network colour.safetensors

The program does not change. An example has one or several images, and a label of the program's `label`, targets
(atoms and their probabilities) or the answer to its query:
  {"images": ["a.png", "b.png"], "label": 1}
  {"images": ["a.png", "b.png"], "targets": {"same(img)": 1, "sum(img,7)": 0}, "answer": "7"}
The accuracy of the attribute is measured on other, generated images.)help";

struct ThroughLogicCommand {
    std::string program;
    LogicTraining request;
    std::string curves;
    double time_limit = 0;
    bool json = false;

    void add_to(CLI::App& command);
    void run();

private:
    void check_options();
    void tell(const LogicTrainingOutcome& outcome) const;
};

void ThroughLogicCommand::check_options() {
    const std::vector<std::string> known = semantics_names(true);
    if (std::ranges::find(known, request.semantics) == known.end())
        throw UsageError(fmt::format("--semantics: nothing is learned through '{}'; {}", request.semantics,
                                     did_you_mean_or_list(request.semantics, known)));
    // Better known before the hours than after them.
    const std::filesystem::path folder = request.weights.parent_path();
    std::error_code error;
    if (!folder.empty() && !std::filesystem::is_directory(folder, error))
        throw UsageError(fmt::format("--output: there is no folder '{}'", folder.string()));
}

void ThroughLogicCommand::run() {
    check_options();
    ReadingOptions().put_into(request.reading);
    request.warn = [](const std::string& text) { fmt::print(stderr, "{}\n", text); };
    TrainingReport report(json, time_limit);
    const LogicTrainingOutcome outcome = train_through_logic(std::filesystem::path(program), request, report);
    report.finish();
    if (!curves.empty()) report.draw(fmt::format("learning {} through logic", request.part.attribute), curves);
    tell(outcome);
}

void ThroughLogicCommand::tell(const LogicTrainingOutcome& outcome) const {
    if (!json) {
        fmt::print("{} after {} with {} in {:.0f} s: {}\n", outcome.complete ? "done" : "stopped",
                   counted(outcome.steps, "step"), counted(outcome.images, "picture"), outcome.seconds,
                   request.weights.string());
        return;
    }
    nlohmann::ordered_json result{{"pictures", outcome.images}, {"epochs", request.epochs},
                                  {"steps", outcome.steps},     {"complete", outcome.complete},
                                  {"seconds", outcome.seconds}, {"semantics", request.semantics},
                                  {"seed", request.part.seed},  {"weights", request.weights.string()}};
    for (const auto& [name, value] : outcome.before)
        if (std::isfinite(value)) result["before"][name] = value;
    for (const auto& [name, value] : outcome.after) result["after"][name] = value;
    fmt::print("{}\n", result.dump());
}

void ThroughLogicCommand::add_to(CLI::App& command) {
    command.add_option("PROGRAM", program, "a program; its rules do not change")->required()->type_name("");
    command.add_option("--images", request.images, "labelled images: folders or lists of them, as in `neumann reason`")
        ->required()
        ->type_name("DIR...");
    command.add_option("--network", request.network, "weights of a dense detector to start with")
        ->required()
        ->type_name("FILE");
    command
        .add_option("--learn", request.part.attribute, "the attribute to learn, such as color; its weights start anew")
        ->required()
        ->type_name("ATTRIBUTE");
    command.add_option("-o,--output", request.weights, "the file of weights to write")->required()->type_name("FILE");
    command
        .add_option("--semantics", request.semantics,
                    fmt::format("semantics of the program while learning: {}", fmt::join(semantics_names(true), ", ")))
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--gamma", request.gamma, "temperature of the soft-or")
        ->type_name("G")
        ->check(CLI::Range(least_gamma, largest_gamma).description(""))
        ->default_str("0.01");
    command.add_option("--epochs", request.epochs, "epochs: passes through the images")
        ->type_name("N")
        ->check(CLI::PositiveNumber.description(""))
        ->capture_default_str();
    command.add_option("--batch", request.batch, "examples in a batch")
        ->type_name("N")
        ->check(CLI::PositiveNumber.description(""))
        ->capture_default_str();
    command.add_option("--pictures", request.most_images, "number of examples to learn from; default: all")
        ->type_name("N");
    command.add_option("--lr", request.part.learning_rate, "learning rate of the attribute's output")
        ->type_name("R")
        ->capture_default_str();
    command
        .add_option("--trunk-lr", request.part.trunk_learning_rate,
                    "learning rate of the layers before it; 0: they do not change")
        ->type_name("R")
        ->capture_default_str();
    add_seed_option(command, request.part.seed, "random seed of the first weights and the order of the images");
    command.add_option("--validation", request.measured.count, "validation images; 0: none")
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--measure-on", request.measured.data,
                    "validate on these splits of data sets (with scenes.jsonl) instead of "
                    "generated images")
        ->type_name("DIR");
    add_device_options(command, request.device);
    command.add_option("--time-limit", time_limit, "stop after this time")->type_name("S");
    command.add_option("--curves", curves, "draw the learning curves")->type_name("FILE.svg");
    command.add_flag("--json", json, "print one JSON object at the end");
    command.footer(through_logic_examples);
}

}  // namespace

void add_train_through_logic(CLI::App& train) {
    CLI::App* command =
        train.add_subcommand("through-logic", "learn an unlabelled attribute from labels of whole examples");
    const auto options = std::make_shared<ThroughLogicCommand>();
    options->add_to(*command);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
