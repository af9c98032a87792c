#include "learn/networks/train_through_logic.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include <neumann/reasoner.h>

#include "base/random_draws.h"
#include "image/pictures.h"
#include "learn/networks/label_loss.h"
#include "learn/networks/training_task.h"
#include "perceive/attribute_score.h"
#include "perceive/component.h"

namespace neumann {
namespace {

// The images of all examples, by number; as many as fit are read only once.
class ImageShelf {
public:
    explicit ImageShelf(const std::vector<TrainingExample>& examples) {
        for (const TrainingExample& one : examples) {
            first_.push_back(files_.size());
            files_.insert(files_.end(), one.images.begin(), one.images.end());
        }
        kept_.resize(files_.size());
    }

    Image take(std::size_t example, std::size_t image) {
        const std::size_t number = first_[example] + image;
        if (!kept_[number].data.empty()) return kept_[number];
        Image read = read_picture(files_[number]);
        if (bytes_ + read.data.size() <= most_bytes) {
            bytes_ += read.data.size();
            kept_[number] = read;
        }
        return read;
    }

private:
    static constexpr std::size_t most_bytes = std::size_t{1} << 30;
    std::vector<std::size_t> first_;  // image of each example
    std::vector<std::filesystem::path> files_;
    std::vector<Image> kept_;
    std::size_t bytes_ = 0;
};

using Measured = std::vector<std::pair<std::string, double>>;

// The examples, the program and the network, and the measures of progress.
class LogicLessons {
public:
    // Borrows all of them. `score` may be null.
    LogicLessons(const std::vector<TrainingExample>& examples, LabelLoss& loss, TrainablePerceiver& perceiver,
                 AttributeScore* score, TrainingListener& listener)
        : examples_(examples), loss_(loss), perceiver_(perceiver), score_(score), listener_(listener),
          shelf_(examples) {}

    // `labels_right`: the share of the labels just learned from, each before its step.
    Measured measure(double labels_right) {
        Measured values{{"labels", labels_right}};
        if (score_ != nullptr)
            for (auto& one : score_->measure(perceiver_)) values.push_back(std::move(one));
        listener_.measured(steps_, values);
        return values;
    }

    // Once through the examples; returns the share of labels that were right.
    double epoch(std::size_t batch, std::uint64_t total, Rng& rng) {
        std::vector<std::size_t> order(examples_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        shuffle_in_place(order, rng);
        double right = 0;
        double certain = 0;
        for (std::size_t first = 0; first < order.size() && !stopped_; first += batch) {
            const LabelLoss::Outcome now = step(std::span(order).subspan(first, std::min(batch, order.size() - first)));
            right += now.right;
            certain += now.certain;
            listener_.step(++steps_, total, now.loss);
            stopped_ = listener_.stop();
        }
        return right / certain;
    }

    std::uint64_t steps() const { return steps_; }
    bool stopped() const { return stopped_; }

private:
    // One step down the gradient of a few examples.
    LabelLoss::Outcome step(std::span<const std::size_t> these) {
        std::vector<Image> images;
        std::vector<const TrainingExample*> examples;
        for (const std::size_t number : these) {
            examples.push_back(&examples_[number]);
            for (std::size_t k = 0; k < examples_[number].images.size(); ++k) images.push_back(shelf_.take(number, k));
        }
        LabelLoss::Outcome outcome = loss_.compare(examples, perceiver_.look_and_remember(images));
        perceiver_.learn(outcome.gradients);
        return outcome;
    }

    const std::vector<TrainingExample>& examples_;
    LabelLoss& loss_;
    TrainablePerceiver& perceiver_;
    AttributeScore* score_;
    TrainingListener& listener_;
    ImageShelf shelf_;
    std::uint64_t steps_ = 0;
    bool stopped_ = false;
};

}  // namespace

LogicTrainingOutcome run_logic_training(const std::filesystem::path& program, const LogicTraining& request,
                                        TrainingListener& listener) {
    const auto begin = std::chrono::steady_clock::now();
    const TrainingTask task = read_training_task(program, request);
    const std::vector<TrainingExample>& examples = task.examples;
    const std::unique_ptr<TrainablePerceiver> perceiver =
        perception_component().open_trainable(TensorFile::read(request.network), request.part, request.device);
    const ObjectLayout& layout = perceiver->layout();
    LabelLossOptions options;
    options.reason.semantics = semantics_named(request.semantics);
    options.reason.gamma = request.gamma;
    options.reason.engine = engine_on(request.device.device, true);
    LabelLoss loss(task.model->loaded, task.model->names, task.declared, layout, options);
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
    outcome.images = task.images;
    outcome.steps = lessons.steps();
    outcome.complete = !lessons.stopped();
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return outcome;
}

}  // namespace neumann
