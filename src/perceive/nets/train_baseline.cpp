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
#include "perceive/nets/augment.h"
#include "perceive/nets/baseline_inputs.h"
#include "perceive/nets/baselines.h"
#include "perceive/nets/device.h"
#include "perceive/nets/labelled_pictures.h"
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
constexpr std::int64_t standardised_by = 2048;  // pictures at most
constexpr double weight_decay = 0.01;
constexpr double warm_up_share = 0.05;  // the share of steps in which the learning rate rises to its full value

struct BaselineDefaults {
    std::uint64_t epochs;
    unsigned batch;
    double learning_rate;
};
BaselineDefaults baseline_defaults(const std::string& model) {
    if (model == "cnn") return {60, 64, 1e-3};
    return {200, 64, model == "mlp" ? 1e-3 : 5e-4};
}

struct Stopped {};  // thrown where reading is ended

// Inputs with their classes, where the network is.
struct Examples {
    Tensor inputs, labels;
    std::int64_t count() const { return labels.size(0); }
};

class BaselineRun {
public:
    BaselineRun(const BaselineTraining& request, TrainingListener& listener)
        : request_(completed(request)), listener_(listener), device_(open_device(request.device)),
          threads_(thread_count(request.device)), from_pixels_(request.model == "cnn") {}

    BaselineOutcome run() {
        const auto start = std::chrono::steady_clock::now();
        make_baseline({request_.model, request_.size, 1, 1, 1});  // throws for what nobody knows, before any work
        data_ = find_labelled_pictures(request_.data);
        settings_ = settings_of(network_for(request_));
        read_inputs();
        make_network();
        BaselineOutcome outcome;
        learn(outcome);
        restore_best();
        measure_best(outcome);
        outcome.parameters = network_->learned_numbers();
        if (!request_.weights.empty()) write_weights(outcome);
        outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return outcome;
    }

private:
    static BaselineTraining completed(BaselineTraining request) {
        const BaselineDefaults defaults = baseline_defaults(request.model);
        if (request.epochs == 0) request.epochs = defaults.epochs;
        if (request.batch == 0) request.batch = defaults.batch;
        if (request.learning_rate == 0) request.learning_rate = defaults.learning_rate;
        return request;
    }

    // The object network whose size of pictures is taken, and whose weights unless others are named.
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
        optimiser_ = std::make_unique<torch::optim::AdamW>(
            learned, torch::optim::AdamWOptions(request_.learning_rate).weight_decay(weight_decay));
    }

    void learn(BaselineOutcome& outcome) {
        const std::int64_t batches = (train_.count() + request_.batch - 1) / request_.batch;
        const std::uint64_t steps = request_.epochs * static_cast<std::uint64_t>(batches);
        double best_accuracy = -1;
        double best_loss = std::numeric_limits<double>::infinity();
        bool stop = false;
        while (outcome.epochs < request_.epochs && !stop) {
            torch::Generator chance =
                at::make_generator<at::CPUGeneratorImpl>(item_seed(request_.seed, "epochs", {outcome.epochs}));
            const Tensor order = torch::randperm(train_.count(), chance, torch::kInt64).to(device_);
            // Of about the same size each: a last batch of one or two pictures would upset batch normalisation.
            for (const Tensor& numbers : order.tensor_split(batches)) {
                const double loss = learn_batch(numbers, outcome.steps, steps);
                listener_.step(++outcome.steps, steps, loss);
                stop = listener_.stop();
                if (stop && outcome.steps < steps) break;
            }
            if (stop && !best_.empty() && outcome.steps % static_cast<std::uint64_t>(batches) != 0) break;
            ++outcome.epochs;
            const Measured now = measure(validation_);
            outcome.measured = {{"validation loss", now.loss}, {"validation", now.accuracy}};
            listener_.measured(outcome.steps, outcome.measured);
            if (now.accuracy < best_accuracy || (now.accuracy == best_accuracy && !(now.loss < best_loss))) continue;
            best_accuracy = now.accuracy;
            best_loss = now.loss;
            outcome.best_epoch = outcome.epochs;
            keep_as_best();
        }
        outcome.complete = outcome.steps == steps;
    }

    double rate(std::uint64_t step, std::uint64_t steps) const {
        const double done = static_cast<double>(step) / static_cast<double>(steps);
        const double rising =
            std::min(1.0, (static_cast<double>(step) + 1) / (warm_up_share * static_cast<double>(steps)));
        return request_.learning_rate * rising * 0.5 * (1 + std::cos(std::numbers::pi * done));
    }

    double learn_batch(const Tensor& numbers, std::uint64_t step, std::uint64_t steps) {
        network_->train();
        torch::Generator noise = device_generator(device_, item_seed(request_.seed, "noise", {step}));
        Tensor inputs = as_input(train_.inputs.index_select(0, numbers));
        if (from_pixels_) inputs = laid_out(augmented(inputs, {}, noise));
        const Tensor loss = F::cross_entropy(network_->forward(inputs), train_.labels.index_select(0, numbers));
        for (auto& group : optimiser_->param_groups())
            static_cast<torch::optim::AdamWOptions&>(group.options()).lr(rate(step, steps));
        optimiser_->zero_grad();
        loss.backward();
        torch::nn::utils::clip_grad_norm_(network_->parameters(), 5.0);
        optimiser_->step();
        return loss.item<double>();
    }

    struct Measured {
        double accuracy = 0;
        double loss = 0;
        std::vector<double> per_class;
    };
    Measured measure(const Examples& examples) {
        network_->eval();
        const torch::NoGradGuard no_grad;
        std::vector<std::int64_t> right(data_.names.size());
        std::vector<std::int64_t> all(data_.names.size());
        Measured result;
        for (std::int64_t first = 0; first < examples.count(); first += measured_at_once) {
            const std::int64_t size = std::min(measured_at_once, examples.count() - first);
            const Tensor labels = examples.labels.narrow(0, first, size);
            const Tensor said = network_->forward(as_input(examples.inputs.narrow(0, first, size)));
            result.loss +=
                F::cross_entropy(said, labels, F::CrossEntropyFuncOptions().reduction(torch::kSum)).item<double>();
            const Tensor hits = (said.argmax(1) == labels).to(torch::kCPU).contiguous();
            const Tensor truth = labels.to(torch::kCPU).contiguous();
            for (std::int64_t k = 0; k < size; ++k) {
                const auto label = static_cast<std::size_t>(truth.data_ptr<std::int64_t>()[k]);
                ++all[label];
                right[label] += hits.data_ptr<bool>()[k] ? 1 : 0;
            }
        }
        std::int64_t sum = 0;
        for (std::size_t c = 0; c < all.size(); ++c) {
            sum += right[c];
            result.per_class.push_back(all[c] == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                   : static_cast<double>(right[c]) / static_cast<double>(all[c]));
        }
        result.accuracy = static_cast<double>(sum) / static_cast<double>(examples.count());
        result.loss /= static_cast<double>(examples.count());
        return result;
    }

    void measure_best(BaselineOutcome& outcome) {
        listener_.stage("measuring");
        outcome.train_accuracy = measure(train_).accuracy;
        const Measured validation = measure(validation_);
        outcome.validation_accuracy = validation.accuracy;
        outcome.measured = {{"train", outcome.train_accuracy}, {"validation", outcome.validation_accuracy}};
        std::vector<double> per_class = validation.per_class;
        if (test_.count() > 0) {
            const Measured test = measure(test_);
            outcome.test_accuracy = test.accuracy;
            outcome.measured.emplace_back("test", test.accuracy);
            per_class = test.per_class;
        }
        for (std::size_t c = 0; c < per_class.size(); ++c)
            if (std::isfinite(per_class[c])) outcome.per_class.emplace_back(data_.names[c], per_class[c]);
    }

    void keep_as_best() {
        const torch::NoGradGuard no_grad;
        if (best_.empty()) {
            for (const Tensor& tensor : network_->parameters()) best_.emplace_back(tensor, Tensor());
            for (const Tensor& tensor : network_->buffers()) best_.emplace_back(tensor, Tensor());
        }
        for (auto& [tensor, copy] : best_) copy = tensor.detach().clone();
    }

    void restore_best() {
        const torch::NoGradGuard no_grad;
        for (auto& [tensor, copy] : best_) tensor.copy_(copy);
    }

    void write_weights(const BaselineOutcome& outcome) const {
        std::map<std::string, std::string> about{
            {"baseline", request_.model},
            {"size", request_.size},
            {"classes", fmt::format("{}", fmt::join(data_.names, ","))},
            {"seed", fmt::format("{}", request_.seed)},
            {"epochs", fmt::format("{} of {}, best {}", outcome.epochs, request_.epochs, outcome.best_epoch)},
            {"batch", fmt::format("{}", request_.batch)},
            {"learning_rate", fmt::format("{}", request_.learning_rate)},
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

    BaselineTraining request_;
    TrainingListener& listener_;
    torch::Device device_;
    unsigned threads_;
    bool from_pixels_;
    PictureClasses data_;
    NetworkSettings settings_;
    std::string object_network_;
    Examples train_, validation_, test_;
    std::shared_ptr<BaselineImpl> network_;
    std::unique_ptr<torch::optim::AdamW> optimiser_;
    std::vector<std::pair<Tensor, Tensor>> best_;  // each tensor of the network, and its value in the best epoch
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
