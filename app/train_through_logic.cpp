#include "train_through_logic.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "attribute_score.h"
#include "base/atomic_file.h"
#include "base/random_draws.h"
#include "base/suggest.h"
#include "command.h"
#include "device_options.h"
#include "draw/table.h"
#include "image/pictures.h"
#include "interrupt.h"
#include "label_loss.h"
#include "logic/print.h"
#include "options/program_options.h"
#include "options/seed_option.h"
#include "perceive/component.h"
#include "picture_options.h"
#include "scene/place_objects.h"
#include "training_report.h"

namespace neumann::app {
namespace {

constexpr const char* examples_text = R"help(Examples:
  neumann train detector --without color -o no_colour.safetensors
  neumann train through-logic examples/joint/red_left_of_blue.nm --images pictures/train/pictures.jsonl \
      --network no_colour.safetensors --learn color -o colour.safetensors
  neumann perceive picture.png --network colour.safetensors

The program stays as it is. Pictures have labels, 1 or 0, of its `label` and nothing else; how often objects are seen
as they are is measured on other pictures, made afresh, from which nothing is learned.)help";

// Pictures by number; as many as fit are read only once.
class PictureShelf {
public:
    explicit PictureShelf(const std::vector<PictureExample>& examples) : examples_(examples), kept_(examples.size()) {}

    Image take(std::size_t number) {
        if (!kept_[number].data.empty()) return kept_[number];
        Image picture = read_picture(examples_[number].images.front());
        if (bytes_ + picture.data.size() <= most_bytes) {
            bytes_ += picture.data.size();
            kept_[number] = picture;
        }
        return picture;
    }

private:
    static constexpr std::size_t most_bytes = std::size_t{1} << 30;
    const std::vector<PictureExample>& examples_;
    std::vector<Image> kept_;
    std::size_t bytes_ = 0;
};

std::vector<std::string> names_of_semantics() {
    std::vector<std::string> names;
    for (const SemanticsInfo& one : all_semantics())
        if (one.for_learning) names.emplace_back(one.name);
    return names;
}

using Measured = std::vector<std::pair<std::string, double>>;

struct ThroughLogicCommand {
    std::string program;
    std::vector<std::string> images;
    std::filesystem::path network;
    std::filesystem::path output;
    TrainablePart part{.attribute = {}, .learning_rate = 3e-3, .trunk_learning_rate = 3e-3, .seed = 1};
    DeviceOptions device;
    std::string semantics{joint_training_semantics_name};
    LabelLossOptions loss;
    unsigned epochs = 8;
    std::size_t batch = 16;
    std::size_t most_pictures = 0;
    MeasuredPictures measured{.count = 500, .seed = 1, .threads = 1, .data = {}};
    std::string curves;
    double time_limit = 0;
    bool json = false;

    void add_to(CLI::App& command);
    void run();

private:
    struct Outcome {
        std::size_t pictures = 0;
        std::uint64_t steps = 0;
        bool stopped = false;
        double seconds = 0;
        Measured before;
        Measured after;
    };
    void check_options();
    LoadedProgram compile_for_label() const;
    std::vector<PictureExample> labelled_pictures() const;
    std::unique_ptr<LabelLoss> make_loss(LoadedProgram& loaded, const ObjectLayout& layout) const;
    void tell(const Outcome& outcome) const;
};

// The pictures, the program and the network, and what is measured on the way.
class LogicLessons {
public:
    // Borrows all of them. `score` may be null.
    LogicLessons(const std::vector<PictureExample>& examples, LabelLoss& loss, TrainablePerceiver& perceiver,
                 AttributeScore* score, TrainingReport& report)
        : examples_(examples), loss_(loss), perceiver_(perceiver), score_(score), report_(report), shelf_(examples) {}

    // `labels_right`: of the pictures just learned from, each before its step.
    Measured measure(double labels_right) {
        Measured values{{"labels", labels_right}};
        if (score_ != nullptr)
            for (auto& one : score_->measure(perceiver_)) values.push_back(std::move(one));
        report_.measured(steps_, values);
        return values;
    }

    // Once through the pictures; returns the share of labels that were right.
    double epoch(std::size_t batch, std::uint64_t total, Rng& rng) {
        std::vector<std::size_t> order(examples_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        shuffle_in_place(order, rng);
        std::size_t right = 0;
        std::size_t seen = 0;
        for (std::size_t first = 0; first < order.size() && !stopped_; first += batch) {
            const std::span these = std::span(order).subspan(first, std::min(batch, order.size() - first));
            const double now = step(these, right);
            seen += these.size();
            report_.step(++steps_, total, now);
            stopped_ = report_.stop();
        }
        return static_cast<double>(right) / static_cast<double>(seen);
    }

    std::uint64_t steps() const { return steps_; }
    bool stopped() const { return stopped_; }

private:
    // One step down the gradient of a few pictures; returns their loss.
    double step(std::span<const std::size_t> these, std::size_t& right) {
        std::vector<Image> pictures;
        std::vector<std::uint8_t> labels;
        for (const std::size_t number : these) {
            pictures.push_back(shelf_.take(number));
            labels.push_back(*examples_[number].label == 1 ? 1 : 0);
        }
        const std::vector<SeenObjects> seen = perceiver_.look_and_remember(pictures);
        const LabelLoss::Outcome outcome = loss_.compare(seen, labels);
        perceiver_.learn(outcome.gradients);
        for (std::size_t k = 0; k < labels.size(); ++k)
            right += (outcome.probabilities[k] >= 0.5) == (labels[k] == 1) ? 1 : 0;
        return outcome.loss;
    }

    const std::vector<PictureExample>& examples_;
    LabelLoss& loss_;
    TrainablePerceiver& perceiver_;
    AttributeScore* score_;
    TrainingReport& report_;
    PictureShelf shelf_;
    std::uint64_t steps_ = 0;
    bool stopped_ = false;
};

// Everything that the label does not depend on is left out.
LoadedProgram ThroughLogicCommand::compile_for_label() const {
    const ReadingOptions reading;
    Diagnostics diagnostics = reading.make_diagnostics();
    Program read = load_program(program, {}, diagnostics);
    LoadedProgram result;
    CompileOptions options;
    for (const Atom& label : read.labels)
        options.queries.push_back(print_atom(read.signature, read.terms, label.predicate, label.args));
    options.with_levels = true;
    const std::shared_ptr<SourceSet> sources = read.sources;
    const bool good = !diagnostics.has_errors() && compile(std::move(read), options, diagnostics, result);
    reading.show(diagnostics, *sources);
    if (!good) throw CommandFailed();
    return result;
}

std::vector<PictureExample> ThroughLogicCommand::labelled_pictures() const {
    PictureList list = list_pictures(images);
    for (const PictureExample& example : list.examples) {
        if (example.images.size() != 1)
            throw UsageError(
                fmt::format("{}: {} pictures in one example; what is learned here comes from one at a time", example.id,
                            example.images.size()));
        if (!example.label || (*example.label != 0 && *example.label != 1))
            throw UsageError(fmt::format("{}: {}; every picture needs a label, 1 or 0", example.id,
                                         example.label ? fmt::format("the label is {}", *example.label) : "no label"));
    }
    if (most_pictures == 0 || list.examples.size() <= most_pictures) return std::move(list.examples);
    std::vector<std::size_t> numbers(list.examples.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    Rng rng(part.seed);
    shuffle_in_place(numbers, rng);
    std::vector<PictureExample> some;
    for (std::size_t k = 0; k < most_pictures; ++k) some.push_back(std::move(list.examples[numbers[k]]));
    return some;
}

std::unique_ptr<LabelLoss> ThroughLogicCommand::make_loss(LoadedProgram& loaded, const ObjectLayout& layout) const {
    try {
        return std::make_unique<LabelLoss>(loaded, layout, loss);
    } catch (const std::invalid_argument& error) {  // ReasonError, too
        throw UsageError(fmt::format("{}: {}", program, error.what()));
    } catch (const ValuationError& error) {
        throw UsageError(fmt::format("{}: {}", program, error.what()));
    }
}

void ThroughLogicCommand::check_options() {
    const std::optional<Semantics> found = find_semantics(semantics);
    const std::vector<std::string> known = names_of_semantics();
    if (!found || std::ranges::find(known, semantics) == known.end())
        throw UsageError(fmt::format("--semantics: nothing is learned through '{}'; {}", semantics,
                                     did_you_mean_or_list(semantics, known)));
    loss.reason.semantics = *found;
    // Better known before the hours than after them.
    const std::filesystem::path folder = output.parent_path();
    std::error_code error;
    if (!folder.empty() && !std::filesystem::is_directory(folder, error))
        throw UsageError(fmt::format("--output: there is no folder '{}'", folder.string()));
}

void ThroughLogicCommand::run() {
    check_options();
    const auto begin = std::chrono::steady_clock::now();
    LoadedProgram loaded = compile_for_label();
    const std::vector<PictureExample> examples = labelled_pictures();
    const std::unique_ptr<TrainablePerceiver> perceiver =
        perception_component().open_trainable(TensorFile::read(network), part, device);
    const ObjectLayout& layout = perceiver->layout();
    const std::unique_ptr<LabelLoss> with = make_loss(loaded, layout);
    std::optional<AttributeScore> score;
    if (measured.count > 0) score.emplace(layout, part.attribute, measured);

    const InterruptGuard guard;
    TrainingReport report(json, time_limit);
    LogicLessons lessons(examples, *with, *perceiver, score ? &*score : nullptr, report);
    const std::uint64_t total = std::uint64_t{epochs} * ((examples.size() + batch - 1) / batch);
    Rng rng(part.seed);
    Outcome outcome;
    outcome.before = lessons.measure(std::numeric_limits<double>::quiet_NaN());
    for (unsigned epoch = 0; epoch < epochs && !lessons.stopped(); ++epoch)
        outcome.after = lessons.measure(lessons.epoch(batch, total, rng));
    report.finish();
    perceiver->save(output);
    if (!curves.empty()) report.draw(fmt::format("learning {} through logic", part.attribute), curves);
    outcome.pictures = examples.size();
    outcome.steps = lessons.steps();
    outcome.stopped = lessons.stopped();
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    tell(outcome);
}

void ThroughLogicCommand::tell(const Outcome& outcome) const {
    if (!json) {
        fmt::print("{} after {} with {} in {:.0f} s: {}\n", outcome.stopped ? "stopped" : "done",
                   counted(outcome.steps, "step"), counted(outcome.pictures, "picture"), outcome.seconds,
                   output.string());
        return;
    }
    nlohmann::ordered_json result{{"pictures", outcome.pictures},
                                  {"epochs", epochs},
                                  {"steps", outcome.steps},
                                  {"complete", !outcome.stopped},
                                  {"seconds", outcome.seconds},
                                  {"semantics", semantics},
                                  {"seed", part.seed},
                                  {"weights", output.string()}};
    for (const auto& [name, value] : outcome.before)
        if (std::isfinite(value)) result["before"][name] = value;
    for (const auto& [name, value] : outcome.after) result["after"][name] = value;
    fmt::print("{}\n", result.dump());
}

void ThroughLogicCommand::add_to(CLI::App& command) {
    command.add_option("PROGRAM", program, "a program with one label; its rules stay as they are")
        ->required()
        ->type_name("");
    command.add_option("--images", images, "labelled pictures: folders or lists of them, as for `neumann reason`")
        ->required()
        ->type_name("DIR...");
    command.add_option("--network", network, "weights of a dense detector to begin with")
        ->required()
        ->type_name("FILE");
    command
        .add_option("--learn", part.attribute,
                    "the attribute to learn, such as color; what was known of it is forgotten")
        ->required()
        ->type_name("ATTRIBUTE");
    command.add_option("-o,--output", output, "the file of weights to write")->required()->type_name("FILE");
    command
        .add_option("--semantics", semantics,
                    fmt::format("of the program while learning: {}", fmt::join(names_of_semantics(), ", ")))
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--gamma", loss.reason.gamma, "how soft the soft-or is")
        ->type_name("G")
        ->check(CLI::Range(least_gamma, largest_gamma).description(""))
        ->default_str("0.01");
    command.add_option("--epochs", epochs, "how often to go through the pictures")
        ->type_name("N")
        ->check(CLI::PositiveNumber.description(""))
        ->capture_default_str();
    command.add_option("--batch", batch, "pictures in each step")
        ->type_name("N")
        ->check(CLI::PositiveNumber.description(""))
        ->capture_default_str();
    command.add_option("--pictures", most_pictures, "learn from so many of the pictures; default: all")->type_name("N");
    command.add_option("--lr", part.learning_rate, "learning rate of the attribute's output")
        ->type_name("R")
        ->capture_default_str();
    command.add_option("--trunk-lr", part.trunk_learning_rate, "of all that comes before it; 0: stays as it is")
        ->type_name("R")
        ->capture_default_str();
    add_seed_option(command, part.seed, "of the first weights and the order of the pictures");
    command.add_option("--validation", measured.count, "pictures to measure on; 0: none")
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--measure-on", measured.data,
                    "measure on these splits of data sets (with scenes.jsonl) instead of "
                    "pictures made afresh")
        ->type_name("DIR");
    add_device_options(command, device);
    command.add_option("--time-limit", time_limit, "stop after so many seconds")->type_name("S");
    command.add_option("--curves", curves, "draw how it learned")->type_name("FILE.svg");
    command.add_flag("--json", json, "end with one JSON object");
    command.footer(examples_text);
}

}  // namespace

void add_train_through_logic(CLI::App& train) {
    CLI::App* command =
        train.add_subcommand("through-logic", "an attribute that nobody labels, from labels of whole pictures");
    const auto options = std::make_shared<ThroughLogicCommand>();
    options->add_to(*command);
    command->callback([options] { options->run(); });
}

}  // namespace neumann::app
