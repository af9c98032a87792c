#include "perceive/nets/train_baseline.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/torch.h>

#include "base/parallel.h"
#include "image/pictures.h"
#include "perceive/baseline_recipe.h"
#include "perceive/nets/augment.h"
#include "perceive/nets/baseline_inputs.h"
#include "perceive/nets/baseline_measure.h"
#include "perceive/nets/baselines.h"
#include "perceive/nets/device.h"
#include "perceive/nets/labelled_pictures.h"
#include "perceive/nets/losses.h"
#include "perceive/nets/network_perceiver.h"
#include "perceive/nets/tensors.h"
#include "perceive/picture_kind.h"
#include "perceive/picture_pool.h"
#include "perceive/weights_folder.h"

namespace neumann {
namespace {

using torch::Tensor;
namespace F = torch::nn::functional;

constexpr std::int64_t measured_at_once = 256;
constexpr std::int64_t standardised_by = 2048;  // images at most
constexpr double warm_up_share = 0.05;          // the share of steps in which the learning rate rises to its full value
constexpr double most_gradient = 5;             // its norm, where it is cut

struct Stopped {};  // thrown where reading is ended

// Inputs with their classes, where the network is.
struct Examples {
    Tensor inputs, labels;
    std::int64_t count() const { return labels.size(0); }
};

class BaselineRun {
public:
    BaselineRun(const BaselineTraining& request, TrainingListener& listener)
        : request_(request), listener_(listener), device_(open_device(request.device)),
          threads_(thread_count(request.device)), from_pixels_(request.model == "cnn") {}

    BaselineOutcome run() {
        const auto start = std::chrono::steady_clock::now();
        make_baseline({request_.model, request_.size, 1, 1, 1});  // throws for unknown names, before any work
        baseline_recipe(request_, true);
        if (request_.precision != "single" && request_.precision != "bfloat16")
            throw PerceptionError(
                fmt::format("there is no precision '{}'; there are single and bfloat16", request_.precision));
        if (request_.precision == "bfloat16") require_half_precision(device_);
        // Which convolution is fastest is tried out, as all batches have the same shape.
        if (device_.is_cuda()) at::globalContext().setBenchmarkCuDNN(true);
        data_ = find_labelled_pictures(request_.data);
        settings_ = settings_of(network_for(request_));
        recipe_ = baseline_recipe(request_, settings_.layout->flat());
        read_inputs();
        make_network();
        BaselineOutcome outcome;
        outcome.recipe = recipe_;
        outcome.object_network = object_network_;
        learn(outcome);
        restore_kept();
        measure_kept(outcome);
        outcome.parameters = network_->learned_numbers();
        if (!request_.weights.empty()) write_weights(outcome);
        outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return outcome;
    }

private:
    // The object network that defines the image size and, unless others are named, the weights.
    std::string network_for(const BaselineTraining& request) const {
        if (request.kind != "auto" && request.kind != "flat" && request.kind != "solid")
            throw PerceptionError(
                fmt::format("there are no pictures of the kind '{}'; there are flat and solid ones", request.kind));
        const bool flat = request.kind == "auto" ? shows_flat_figures(read_picture(data_.train.pictures.front()))
                                                 : request.kind == "flat";
        return flat ? "figures" : request.model == "set" ? "slots" : "solids";
    }

    void read_inputs() {
        std::unique_ptr<Perceiver> perceiver;
        std::unique_ptr<SeenCache> cache;
        if (!from_pixels_) {
            const std::string name = request_.object_network.empty() ? settings_.name : request_.object_network;
            perceiver = open_perceiver(TensorFile::read(weights_of(name)), request_.device);
            if (!request_.seen.empty())
                cache = std::make_unique<SeenCache>(request_.seen, "", perceiver->fingerprint());
            object_network_ = perceiver->fingerprint();
        }
        for (const Split split : {Split::Train, Split::Val, Split::Test}) {
            const LabelledPictures& from = data_.of(split);
            const auto done = [&](std::size_t count) {
                listener_.stage(fmt::format("{} pictures to {}: {} of {}", from_pixels_ ? "reading" : "looking at",
                                            split == Split::Train ? "learn from" : "measure on", count,
                                            from.pictures.size()));
                if (listener_.stop()) throw Stopped();
            };
            const Tensor inputs = from_pixels_
                                      ? read_pictures(from.pictures, settings_.width, settings_.height, threads_, done)
                                      : read_rows(from.pictures, *perceiver, most_objects, threads_, cache.get(), done);
            if (split == Split::Train && explained())
                about_ = explanation_masks(data_, request_.data, inputs, perceiver->layout()).to(device_);
            examples(split) = {inputs.to(device_), torch::tensor(from.labels, torch::kInt64).to(device_)};
        }
    }

    void make_network() {
        // Rows of objects make steps of a millisecond or two, in which threads would mostly wait for each other.
        if (!from_pixels_) torch::set_num_threads(1);
        torch::manual_seed(request_.seed);
        BaselineShape shape{.model = request_.model, .size = request_.size, .classes = classes()};
        if (!from_pixels_) {
            shape.objects = train_.inputs.size(1);
            shape.columns = train_.inputs.size(2);
        }
        network_ = make_baseline(shape);
        network_->to(device_);
        {
            const torch::NoGradGuard no_grad;
            // Classes come one after the other: a stride takes some of each.
            const std::int64_t stride = (train_.count() + standardised_by - 1) / standardised_by;
            network_->standardise(as_input(train_.inputs.slice(0, 0, torch::indexing::None, stride)));
        }
        std::vector<Tensor> learned;
        for (const Tensor& parameter : network_->parameters())
            if (parameter.requires_grad()) learned.push_back(parameter);
        if (recipe_.optimiser == "adam")
            optimiser_ = std::make_unique<torch::optim::Adam>(learned, recipe_.learning_rate);
        else
            optimiser_ = std::make_unique<torch::optim::AdamW>(
                learned, torch::optim::AdamWOptions(recipe_.learning_rate).weight_decay(recipe_.weight_decay));
    }

    void learn(BaselineOutcome& outcome) {
        const std::int64_t batches = (train_.count() + recipe_.batch - 1) / recipe_.batch;
        const std::uint64_t steps = recipe_.epochs * static_cast<std::uint64_t>(batches);
        bool stop = false;
        Means since_measured;
        while (outcome.epochs < recipe_.epochs && !stop) {
            torch::Generator chance =
                at::make_generator<at::CPUGeneratorImpl>(item_seed(request_.seed, "epochs", {outcome.epochs}));
            const Tensor order = torch::randperm(train_.count(), chance, torch::kInt64).to(device_);
            Means of_epoch;
            // Of about the same size each: a last batch of one or two images would upset batch normalisation.
            for (const Tensor& numbers : order.tensor_split(batches)) {
                const Losses losses = learn_batch(numbers, outcome.steps, steps);
                of_epoch.add(losses);
                since_measured.add(losses);
                listener_.step(++outcome.steps, steps, losses.label);
                stop = listener_.stop();
                if (stop && outcome.steps < steps) break;
            }
            if (stop && !kept_.empty() && outcome.steps % static_cast<std::uint64_t>(batches) != 0) break;
            ++outcome.epochs;
            if (explained()) {
                const double wrong = of_epoch.mean().wrong_reasons;
                outcome.wrong_reasons = {outcome.wrong_reasons ? outcome.wrong_reasons->first : wrong, wrong};
            }
            if (outcome.epochs % recipe_.measure_every != 0 && outcome.epochs != recipe_.epochs && !stop) continue;
            validate(outcome, since_measured.mean().label);
            since_measured = {};
        }
        outcome.complete = outcome.steps == steps;
    }

    void validate(BaselineOutcome& outcome, double loss) {
        const MeasuredClasses now = measure(validation_);
        outcome.measured = {{"validation loss", now.loss}, {"validation", now.accuracy}};
        outcome.curve.push_back({outcome.epochs, loss, now.accuracy});
        listener_.measured(outcome.steps, outcome.measured);
        const bool more_right = now.accuracy > best_.accuracy;
        const bool surer = now.loss < best_.loss;
        const bool better =
            recipe_.kept == "last" || kept_.empty() ||
            (recipe_.kept == "best loss" ? surer : more_right || (now.accuracy == best_.accuracy && surer));
        if (!better) return;
        best_ = now;
        outcome.best_epoch = outcome.epochs;
        keep();
    }

    double rate(std::uint64_t step, std::uint64_t steps) const {
        if (recipe_.schedule == "constant") return recipe_.learning_rate;
        const double done = static_cast<double>(step) / static_cast<double>(steps);
        const double rising =
            recipe_.schedule == "cosine"
                ? 1
                : std::min(1.0, (static_cast<double>(step) + 1) / (warm_up_share * static_cast<double>(steps)));
        return recipe_.learning_rate * rising * 0.5 * (1 + std::cos(std::numbers::pi * done));
    }

    struct Losses {
        double label = 0;
        double wrong_reasons = 0;
    };
    struct Means {
        Losses sum;
        double count = 0;
        void add(const Losses& one) {
            sum.label += one.label;
            sum.wrong_reasons += one.wrong_reasons;
            ++count;
        }
        Losses mean() const { return {sum.label / count, sum.wrong_reasons / count}; }
    };
    Losses learn_batch(const Tensor& numbers, std::uint64_t step, std::uint64_t steps) {
        network_->train();
        torch::Generator noise = device_generator(device_, item_seed(request_.seed, "noise", {step}));
        Tensor inputs = as_input(train_.inputs.index_select(0, numbers));
        if (from_pixels_ && recipe_.augmented) inputs = laid_out(augmented(inputs, {}, noise));
        const Tensor labels = train_.labels.index_select(0, numbers);
        Tensor loss = F::cross_entropy(said_of(inputs), labels);
        Losses result{loss.item<double>(), 0};
        if (explained()) {
            const Tensor wrong = wrong_reasons(inputs, labels, about_.index_select(0, numbers), noise);
            result.wrong_reasons = wrong.item<double>();
            loss = loss + request_.explanations * wrong;
        }
        for (auto& group : optimiser_->param_groups()) group.options().set_lr(rate(step, steps));
        optimiser_->zero_grad();
        loss.backward();
        if (recipe_.optimiser == "adamw") torch::nn::utils::clip_grad_norm_(network_->parameters(), most_gradient);
        optimiser_->step();
        return result;
    }

    // At random points between an average image and each of them: where a network is certain, its gradients vanish, for
    // any reason of its certainty.
    Tensor wrong_reasons(const Tensor& rows, const Tensor& labels, const Tensor& about, torch::Generator& chance) {
        const Tensor share = torch::rand(rows.sizes().vec(), chance, rows.options());
        const Tensor faded = network_->faded_rows(rows, share).detach().requires_grad_(true);
        return wrong_reason_loss(said_of(faded), labels, faded, about, network_->input_spread());
    }

    Tensor said_of(const Tensor& inputs) {
        const HalfPrecision half(device_, request_.precision == "bfloat16");
        return network_->forward(inputs).to(torch::kFloat32);
    }
    // The logits of all images, `at_once` at a time, in this order.
    Tensor said_of_all(const Examples& examples, std::int64_t at_once, const Tensor& order = {}) {
        const torch::NoGradGuard no_grad;
        std::vector<Tensor> said;
        for (std::int64_t first = 0; first < examples.count(); first += at_once) {
            const std::int64_t size = std::min(at_once, examples.count() - first);
            const Tensor some = order.defined() ? examples.inputs.index_select(0, order.narrow(0, first, size))
                                                : examples.inputs.narrow(0, first, size);
            said.push_back(said_of(as_input(some)));
        }
        return torch::cat(said);
    }
    MeasuredClasses measure(const Examples& examples) {
        network_->eval();
        return measure_classes(said_of_all(examples, measured_at_once), examples.labels);
    }

    // As the published code measures: it leaves the network in training mode.
    BatchwiseAccuracy measure_batchwise() {
        network_->train();
        const std::int64_t at_once = recipe_.batch;
        const Tensor validation = said_of_all(validation_, at_once);
        const double threshold = best_threshold(validation, validation_.labels);
        BatchwiseAccuracy result;
        result.validation = accuracy_by_threshold(validation, validation_.labels, threshold);
        torch::Generator chance = at::make_generator<at::CPUGeneratorImpl>(item_seed(request_.seed, "measured", {}));
        const Tensor order = torch::randperm(train_.count(), chance, torch::kInt64).to(device_);
        result.train =
            accuracy_by_threshold(said_of_all(train_, at_once, order), train_.labels.index_select(0, order), threshold);
        if (test_.count() > 0)
            result.test = accuracy_by_threshold(said_of_all(test_, at_once), test_.labels, threshold);
        restore_kept();  // the statistics of batches have gone on
        return result;
    }

    void measure_kept(BaselineOutcome& outcome) {
        listener_.stage("measuring");
        outcome.train_accuracy = measure(train_).accuracy;
        const MeasuredClasses validation = measure(validation_);
        outcome.validation_accuracy = validation.accuracy;
        outcome.measured = {{"train", outcome.train_accuracy}, {"validation", outcome.validation_accuracy}};
        std::vector<double> per_class = validation.per_class;
        if (test_.count() > 0) {
            const MeasuredClasses test = measure(test_);
            outcome.test_accuracy = test.accuracy;
            outcome.measured.emplace_back("test", test.accuracy);
            per_class = test.per_class;
        }
        for (std::size_t c = 0; c < per_class.size(); ++c)
            if (std::isfinite(per_class[c])) outcome.per_class.emplace_back(data_.names[c], per_class[c]);
        if (recipe_.name == "paper" && classes() == 2) outcome.batchwise = measure_batchwise();
    }

    void keep() {
        const torch::NoGradGuard no_grad;
        if (kept_.empty()) {
            for (const Tensor& tensor : network_->parameters()) kept_.emplace_back(tensor, Tensor());
            for (const Tensor& tensor : network_->buffers()) kept_.emplace_back(tensor, Tensor());
        }
        for (auto& [tensor, copy] : kept_) copy = tensor.detach().clone();
    }

    void restore_kept() {
        const torch::NoGradGuard no_grad;
        for (auto& [tensor, copy] : kept_) tensor.copy_(copy);
    }

    void write_weights(const BaselineOutcome& outcome) const {
        std::map<std::string, std::string> about{
            {"baseline", request_.model},
            {"size", request_.size},
            {"classes", fmt::format("{}", fmt::join(data_.names, ","))},
            {"seed", fmt::format("{}", request_.seed)},
            {"recipe", recipe_.name},
            {"epochs", fmt::format("{} of {}, kept {}", outcome.epochs, recipe_.epochs, outcome.best_epoch)},
            {"batch", fmt::format("{}", recipe_.batch)},
            {"learning_rate", fmt::format("{}", recipe_.learning_rate)},
            {"format", "1"}};
        if (from_pixels_) about["input"] = fmt::format("{}x{}", settings_.width, settings_.height);
        if (!from_pixels_) about["objects"] = object_network_;
        for (const auto& [name, value] : outcome.measured) about[name + " accuracy"] = fmt::format("{:.5f}", value);
        write_tensor_file(request_.weights, folded_weights(*network_), about);
    }

    Examples& examples(Split split) {
        return split == Split::Train ? train_ : split == Split::Val ? validation_ : test_;
    }
    std::int64_t classes() const { return static_cast<std::int64_t>(data_.names.size()); }
    Tensor as_input(const Tensor& kept) const { return from_pixels_ ? laid_out(network_input(kept)) : kept; }
    // As convolutions on a GPU are fastest with.
    Tensor laid_out(const Tensor& pictures) const {
        return device_.is_cuda() ? pictures.contiguous(torch::MemoryFormat::ChannelsLast) : pictures;
    }

    bool explained() const { return request_.explanations > 0; }

    BaselineTraining request_;
    BaselineRecipe recipe_;
    TrainingListener& listener_;
    torch::Device device_;
    unsigned threads_;
    bool from_pixels_;
    PictureClasses data_;
    NetworkSettings settings_;
    std::string object_network_;
    Examples train_, validation_, test_;
    std::shared_ptr<BaselineImpl> network_;
    std::unique_ptr<torch::optim::Optimizer> optimiser_;
    Tensor about_;  // with explanations: where inputs to learn from may matter
    MeasuredClasses best_;
    std::vector<std::pair<Tensor, Tensor>>
        kept_;  // each tensor of the network, and its value in the epoch that is kept
};

}  // namespace

BaselineOutcome train_baseline_network(const BaselineTraining& request, TrainingListener& listener) {
    try {
        return BaselineRun(request, listener).run();
    } catch (const Stopped&) {
        throw PerceptionError("stopped before anything was learned");
    }
}

}  // namespace neumann
