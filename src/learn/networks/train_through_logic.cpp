#include "learn/networks/train_through_logic.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <neumann/reasoner.h>

#include "base/random_draws.h"
#include "compile/compile.h"
#include "image/pictures.h"
#include "learn/networks/label_loss.h"
#include "logic/print.h"
#include "perceive/attribute_score.h"
#include "perceive/component.h"
#include "perceive/looking.h"

namespace neumann {
namespace {

// Images by number; as many as fit are read only once.
class ImageShelf {
public:
    explicit ImageShelf(const std::vector<PictureExample>& examples) : examples_(examples), kept_(examples.size()) {}

    Image take(std::size_t number) {
        if (!kept_[number].data.empty()) return kept_[number];
        Image image = read_picture(examples_[number].images.front());
        if (bytes_ + image.data.size() <= most_bytes) {
            bytes_ += image.data.size();
            kept_[number] = image;
        }
        return image;
    }

private:
    static constexpr std::size_t most_bytes = std::size_t{1} << 30;
    const std::vector<PictureExample>& examples_;
    std::vector<Image> kept_;
    std::size_t bytes_ = 0;
};

using Measured = std::vector<std::pair<std::string, double>>;

// The images, the program and the network, and the measures of progress.
class LogicLessons {
public:
    // Borrows all of them. `score` may be null.
    LogicLessons(const std::vector<PictureExample>& examples, LabelLoss& loss, TrainablePerceiver& perceiver,
                 AttributeScore* score, TrainingListener& listener)
        : examples_(examples), loss_(loss), perceiver_(perceiver), score_(score), listener_(listener),
          shelf_(examples) {}

    // `labels_right`: of the images just learned from, each before its step.
    Measured measure(double labels_right) {
        Measured values{{"labels", labels_right}};
        if (score_ != nullptr)
            for (auto& one : score_->measure(perceiver_)) values.push_back(std::move(one));
        listener_.measured(steps_, values);
        return values;
    }

    // Once through the images; returns the share of labels that were right.
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
            listener_.step(++steps_, total, now);
            stopped_ = listener_.stop();
        }
        return static_cast<double>(right) / static_cast<double>(seen);
    }

    std::uint64_t steps() const { return steps_; }
    bool stopped() const { return stopped_; }

private:
    // One step down the gradient of a few images; returns their loss.
    double step(std::span<const std::size_t> these, std::size_t& right) {
        std::vector<Image> images;
        std::vector<std::uint8_t> labels;
        for (const std::size_t number : these) {
            images.push_back(shelf_.take(number));
            labels.push_back(*examples_[number].label == 1 ? 1 : 0);
        }
        const std::vector<SeenObjects> seen = perceiver_.look_and_remember(images);
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
    TrainingListener& listener_;
    ImageShelf shelf_;
    std::uint64_t steps_ = 0;
    bool stopped_ = false;
};

std::vector<PictureExample> labelled_images(const LogicTraining& request) {
    PictureList list = list_pictures(request.images);
    for (const PictureExample& example : list.examples) {
        if (example.images.size() != 1)
            throw PerceptionError(
                fmt::format("{}: {} pictures in one example; what is learned here comes from one at a time", example.id,
                            example.images.size()));
        if (!example.label || (*example.label != 0 && *example.label != 1))
            throw PerceptionError(
                fmt::format("{}: {}; every picture needs a label, 1 or 0", example.id,
                            example.label ? fmt::format("the label is {}", *example.label) : "no label"));
    }
    if (request.most_images == 0 || list.examples.size() <= request.most_images) return std::move(list.examples);
    std::vector<std::size_t> numbers(list.examples.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    Rng rng(request.part.seed);
    shuffle_in_place(numbers, rng);
    std::vector<PictureExample> some;
    for (std::size_t k = 0; k < request.most_images; ++k) some.push_back(std::move(list.examples[numbers[k]]));
    return some;
}

}  // namespace

bool compile_for_labels(const std::filesystem::path& path, Diagnostics& diagnostics, LoadedProgram& result) {
    Program program = load_program(path, {}, diagnostics);
    CompileOptions options;
    for (const Atom& label : program.labels)
        options.queries.push_back(print_atom(program.signature, program.terms, label.predicate, label.args));
    options.with_levels = true;
    if (!diagnostics.has_errors()) return compile(std::move(program), options, diagnostics, result);
    result.compiled.program = std::move(program);
    return false;
}

LogicTrainingOutcome train_through_logic(LoadedProgram& program, const LogicTraining& request,
                                         TrainingListener& listener) {
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<PictureExample> examples = labelled_images(request);
    const std::unique_ptr<TrainablePerceiver> perceiver =
        perception_component().open_trainable(TensorFile::read(request.network), request.part, request.device);
    const ObjectLayout& layout = perceiver->layout();
    LabelLossOptions options;
    options.reason.semantics = semantics_named(request.semantics);
    options.reason.gamma = request.gamma;
    options.reason.engine = engine_on(request.device.device, true);
    LabelLoss loss(program, layout, options);
    std::optional<AttributeScore> score;
    if (request.measured.count > 0) score.emplace(layout, request.part.attribute, request.measured);

    LogicLessons lessons(examples, loss, *perceiver, score ? &*score : nullptr, listener);
    const std::uint64_t total = std::uint64_t{request.epochs} * ((examples.size() + request.batch - 1) / request.batch);
    Rng rng(request.part.seed);
    LogicTrainingOutcome outcome;
    outcome.before = lessons.measure(std::numeric_limits<double>::quiet_NaN());
    for (unsigned epoch = 0; epoch < request.epochs && !lessons.stopped(); ++epoch)
        outcome.after = lessons.measure(lessons.epoch(request.batch, total, rng));
    perceiver->save(request.weights);
    outcome.images = examples.size();
    outcome.steps = lessons.steps();
    outcome.complete = !lessons.stopped();
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return outcome;
}

}  // namespace neumann
