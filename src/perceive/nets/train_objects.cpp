#include "perceive/nets/train_objects.h"

#include <chrono>
#include <cmath>
#include <fstream>
#include <memory>
#include <numbers>
#include <sstream>

#include <fmt/format.h>
#include <torch/torch.h>
#define XXH_INLINE_ALL  // the header is all that is needed
#include <xxhash.h>

#include "base/files.h"
#include "base/parallel.h"
#include "perceive/nets/augment.h"
#include "perceive/nets/decode.h"
#include "perceive/nets/device.h"
#include "perceive/nets/flat_parameters.h"
#include "perceive/nets/losses.h"
#include "perceive/nets/networks.h"
#include "perceive/nets/tensors.h"
#include "perceive/picture_pool.h"
#include "perceive/score.h"

namespace neumann {
namespace {

using torch::Tensor;

struct Defaults {
    std::uint64_t steps;
    unsigned batch;
    double learning_rate;
    std::size_t pictures;
    std::size_t validation_pictures;
    std::uint64_t measure_every;
};
Defaults defaults_for(const std::string& network) {
    if (network == "figures") return {1600, 64, 3e-3, 24'000, 2000, 400};
    return {24'000, 512, 1e-3, 100'000, 1000, 2000};
}

constexpr double slot_weight = 1;              // of their loss beside that of the dense head
constexpr double gentle = 0.5;                 // of the learning rate
constexpr std::uint64_t warm_up = 300;         // steps in which the learning rate rises to its full value
constexpr std::size_t enough_to_begin = 4096;  // images
constexpr std::int64_t measured_together = 64;

// A pool's images on the network's device. On a GPU they are copied as they become ready.
class PoolTensors {
public:
    PoolTensors(PicturePool& pool, const torch::Device& device) : pool_(pool), device_(device) {
        const auto count = static_cast<std::int64_t>(pool.capacity());
        const PoolOptions& options = pool.options();
        picture_shape_ = {0, options.layout->height, options.layout->width, 3};
        truth_shape_ = {0, most_objects, options.layout->columns};
        cells_shape_ = {0, static_cast<std::int64_t>(pool.cell_count())};
        pictures_ = view(pool.pictures(0), picture_shape_, count, torch::kUInt8);
        truth_ = view(pool.truth(0), truth_shape_, count, torch::kFloat32);
        cells_ = view(pool.cells(0), cells_shape_, count, torch::kUInt8);
        if (device.is_cpu()) return;
        pictures_ = torch::empty_like(pictures_, device);
        truth_ = torch::empty_like(truth_, device);
        cells_ = torch::empty_like(cells_, device);
    }

    std::int64_t ready() {
        const auto count = static_cast<std::int64_t>(pool_.ready());
        if (device_.is_cpu() || count == copied_) return count;
        const std::int64_t more = count - copied_;
        const auto first = static_cast<std::size_t>(copied_);
        pictures_.narrow(0, copied_, more).copy_(view(pool_.pictures(first), picture_shape_, more, torch::kUInt8));
        truth_.narrow(0, copied_, more).copy_(view(pool_.truth(first), truth_shape_, more, torch::kFloat32));
        cells_.narrow(0, copied_, more).copy_(view(pool_.cells(first), cells_shape_, more, torch::kUInt8));
        return copied_ = count;
    }

    struct Batch {
        Tensor pictures, truth, cells;
    };
    Batch pick(const Tensor& numbers) const {
        return {pictures_.index_select(0, numbers), truth_.index_select(0, numbers), cells_.index_select(0, numbers)};
    }
    Tensor pictures(std::int64_t first, std::int64_t count) const { return pictures_.narrow(0, first, count); }

private:
    static Tensor view(const void* data, std::vector<std::int64_t> shape, std::int64_t count, torch::ScalarType type) {
        shape[0] = count;
        return torch::from_blob(const_cast<void*>(data), shape, type);
    }

    PicturePool& pool_;
    torch::Device device_;
    std::vector<std::int64_t> picture_shape_, truth_shape_, cells_shape_;
    Tensor pictures_, truth_, cells_;
    std::int64_t copied_ = 0;
};

class Training {
public:
    Training(const ObjectTraining& request, TrainingListener& listener)
        : request_(completed(request)), listener_(listener), device_(open_device(request.device)),
          threads_(thread_count(request.device)), settings_(settings_of(request.network)),
          slots_(!settings_.layout->flat()), train_(pool_options(Split::Train)), validation_(pool_options(Split::Val)),
          train_tensors_(train_, device_), validation_tensors_(validation_, device_) {
        torch::manual_seed(request_.seed);
        network_ = ObjectNetwork(settings_, true, slots_, Form::Learning);
        network_->to(device_);
        at::globalContext().setBenchmarkCuDNN(true);  // all batches are of one size
        // Slots get a smaller learning rate: the features for which they compete change during training.
        std::vector<Tensor> slots;
        std::vector<Tensor> others;
        for (const auto& parameter : network_->named_parameters())
            (parameter.key().starts_with("slots.") ? slots : others).push_back(parameter.value());
        const auto options = [&] {
            return std::make_unique<torch::optim::AdamWOptions>(
                torch::optim::AdamWOptions(request_.learning_rate).weight_decay(0.01));
        };
        parameters_.emplace_back(others);
        if (slots_) parameters_.emplace_back(slots);
        std::vector<torch::optim::OptimizerParamGroup> groups;
        for (FlatParameters& part : parameters_) groups.emplace_back(std::vector<Tensor>{part.all()}, options());
        optimiser_ = std::make_unique<torch::optim::AdamW>(groups, *options());
    }

    TrainingOutcome run() {
        const auto start = std::chrono::steady_clock::now();
        const auto seconds = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        };
        TrainingOutcome outcome;
        std::uint64_t step = request_.resume ? read_checkpoint() : 0;
        wait_for(train_, std::min(enough_to_begin, train_.capacity()), "making pictures");
        if (device_.is_cpu() && request_.data.empty()) wait_for(train_, train_.capacity(), "making pictures");
        while (step < request_.steps) {
            const double loss = learn(step);
            ++step;
            listener_.step(step, request_.steps, loss);
            const bool last = step == request_.steps;
            if (last || step % request_.measure_every == 0) outcome.measured = measure(step);
            const bool stop = listener_.stop();
            if (last || stop || step % request_.checkpoint_every == 0) write_checkpoint(step);
            if (stop) break;
        }
        if (outcome.measured.empty()) outcome.measured = measure(step);
        write_results(step, outcome);
        outcome.steps = step;
        outcome.complete = step >= request_.steps;
        outcome.seconds = seconds();
        return outcome;
    }

private:
    static ObjectTraining completed(ObjectTraining request) {
        const Defaults defaults = defaults_for(request.network);
        const auto fill = [](auto& field, auto value) {
            if (field == 0) field = value;
        };
        fill(request.steps, defaults.steps);
        fill(request.batch, defaults.batch);
        fill(request.learning_rate, defaults.learning_rate);
        fill(request.pictures, defaults.pictures);
        fill(request.validation_pictures, defaults.validation_pictures);
        fill(request.measure_every, defaults.measure_every);
        const ObjectLayout& layout = *settings_of(request.network).layout;
        if (!request.left_out.empty() && layout.find(request.left_out) == nullptr)
            throw PerceptionError(fmt::format("--without: {} objects have no '{}'", layout.name, request.left_out));
        return request;
    }

    PoolOptions pool_options(Split split) const {
        const bool training = split == Split::Train;
        PoolOptions pool;
        pool.layout = settings_.layout;
        pool.cell = static_cast<unsigned>(settings_.cell);
        pool.capacity = training ? request_.pictures : request_.validation_pictures;
        pool.seed = request_.seed;
        pool.split = split;
        pool.threads = threads_;
        pool.cuda = request_.render == "cuda";
        pool.rows = request_.rows;
        for (const auto& folder : request_.data) pool.data.push_back(folder / split_name(split));
        return pool;
    }

    void wait_for(PicturePool& pool, std::size_t count, const std::string& doing) {
        constexpr std::size_t at_a_time = 64;
        for (std::size_t k = std::min(at_a_time, count);; k = std::min(k + at_a_time, count)) {
            pool.wait_for(k);
            listener_.stage(fmt::format("{}: {} of {}", doing, k, count));
            if (k == count || listener_.stop()) return;
        }
    }

    // Solid objects are lit by lamps of known colours; the reds of flat ones vary between publications.
    AugmentOptions augmentation() const {
        AugmentOptions options;
        if (settings_.layout->flat()) options.mixed = 0.1;
        return options;
    }

    double rate(std::uint64_t step) const {
        if (step < warm_up) return request_.learning_rate * static_cast<double>(step + 1) / warm_up;
        const double done = static_cast<double>(step) / static_cast<double>(request_.steps);
        return request_.learning_rate * 0.5 * (1 + std::cos(std::numbers::pi * done)) + 1e-6;
    }

    double learn(std::uint64_t step) {
        network_->train();
        torch::Generator chance = at::make_generator<at::CPUGeneratorImpl>(item_seed(request_.seed, "batches", {step}));
        const Tensor numbers = torch::randint(train_tensors_.ready(), {request_.batch}, chance, torch::kInt64);
        const PoolTensors::Batch batch = train_tensors_.pick(on_device(numbers));
        torch::Generator noise = device_generator(device_, item_seed(request_.seed, "noise", {step}));
        Tensor pictures = augmented(network_input(batch.pictures), augmentation(), noise);
        // On a GPU the order of numbers and their length decide how fast convolutions are; the processor likes neither.
        if (device_.is_cuda()) pictures = pictures.to(torch::kBFloat16).contiguous(torch::MemoryFormat::ChannelsLast);
        const Tensor features = network_->trunk->forward(pictures);
        SlotHeadImpl::Result held;
        if (slots_) held = network_->slots(features.to(torch::kFloat32));
        Tensor loss = dense_loss(network_->dense(features), batch.truth, settings_, request_.left_out);
        if (slots_)
            loss = loss + dense_loss(held.proposals, batch.truth, settings_) +
                   slot_weight * slot_loss(held, batch.truth, batch.cells, settings_, std::min(threads_, 4U));
        for (std::size_t group = 0; group < optimiser_->param_groups().size(); ++group)
            optimiser_->param_groups()[group].options().set_lr(rate(step) * (group == 0 ? 1 : gentle));
        for (FlatParameters& part : parameters_) part.forget_gradients();
        loss.backward();
        clip_gradients(parameters_, slots_ ? 1.0 : 10.0);
        optimiser_->step();
        // Asking for the number waits for the GPU.
        if (device_.is_cpu() || step % 20 == 0) last_loss_ = loss.item<double>();
        return last_loss_;
    }

    // Without waiting for earlier work of the GPU.
    Tensor on_device(const Tensor& numbers) const {
        return device_.is_cpu() ? numbers : numbers.pin_memory().to(device_, true);
    }

    std::vector<std::pair<std::string, double>> measure(std::uint64_t step) {
        network_->eval();
        wait_for(validation_, validation_.capacity(), "making pictures to measure on");
        validation_tensors_.ready();
        std::vector<std::pair<std::string, double>> values;
        measure_head(false, "", values);
        if (slots_) measure_head(true, "slots: ", values);
        listener_.measured(step, values);
        return values;
    }

    void measure_head(bool by_slots, const std::string& prefix, std::vector<std::pair<std::string, double>>& values) {
        ScoreSum sum;
        const auto count = static_cast<std::int64_t>(validation_.capacity());
        for (std::int64_t first = 0; first < count; first += measured_together) {
            const std::int64_t size = std::min(measured_together, count - first);
            const std::vector<SeenObjects> seen =
                objects_seen(*network_, network_input(validation_tensors_.pictures(first, size)), by_slots);
            for (std::size_t k = 0; k < seen.size(); ++k)
                sum.add(score(seen[k], validation_.seen(static_cast<std::size_t>(first) + k)));
        }
        const auto share = [](std::size_t part, std::size_t of) {
            return of == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(of);
        };
        values.emplace_back(prefix + "objects found", share(sum.found, sum.objects));
        values.emplace_back(prefix + "objects right", share(sum.right, sum.objects));
        values.emplace_back(prefix + "pictures right", share(sum.perfect, sum.scenes));
    }

    void write_checkpoint(std::uint64_t step) {
        if (request_.checkpoint.empty()) return;
        torch::serialize::OutputArchive network;
        network_->save(network);
        torch::serialize::OutputArchive optimiser;
        optimiser_->save(optimiser);
        torch::serialize::OutputArchive all;
        all.write("network", network);
        all.write("optimiser", optimiser);
        all.write("step", torch::tensor(static_cast<std::int64_t>(step)));
        all.write("request", torch::tensor(static_cast<std::int64_t>(request_digest())));
        std::ostringstream out;
        all.save_to(out);
        const std::string bytes = out.str();
        const std::uint64_t digest = XXH3_64bits(bytes.data(), bytes.size());
        AtomicFile file(request_.checkpoint);
        file.write(&digest, sizeof digest);
        file.write(bytes);
        file.commit();
    }

    // Checked before LibTorch reads it: its own reader takes damaged numbers as they come.
    std::string checkpoint_bytes() const {
        std::ifstream in(request_.checkpoint, std::ios::binary);
        if (!in)
            throw PerceptionError(fmt::format("--resume: there is no checkpoint '{}'; leave out --resume to begin anew",
                                              request_.checkpoint.string()));
        std::uint64_t digest = 0;
        in.read(reinterpret_cast<char*>(&digest), sizeof digest);
        std::string bytes{std::istreambuf_iterator<char>(in), {}};
        if (bytes.empty() || digest != XXH3_64bits(bytes.data(), bytes.size()))
            throw PerceptionError(fmt::format("{}: not a checkpoint, or damaged", request_.checkpoint.string()));
        return bytes;
    }

    std::uint64_t read_checkpoint() {
        try {
            torch::serialize::InputArchive all;
            std::istringstream bytes(checkpoint_bytes());
            all.load_from(bytes, torch::Device(torch::kCPU));
            Tensor step;
            Tensor digest;
            all.read("step", step);
            all.read("request", digest);
            if (digest.item<std::int64_t>() != static_cast<std::int64_t>(request_digest()))
                throw PerceptionError(
                    fmt::format("{}: this checkpoint is of a training with other settings (network,"
                                " seed, steps, batch, learning rate, pictures, rows, data, --without); use"
                                " the same, or leave out --resume",
                                request_.checkpoint.string()));
            torch::serialize::InputArchive network;
            torch::serialize::InputArchive optimiser;
            all.read("network", network);
            all.read("optimiser", optimiser);
            network_->load(network);
            network_->to(device_);
            for (FlatParameters& part : parameters_) part.gather();
            optimiser_->load(optimiser);
            return static_cast<std::uint64_t>(step.item<std::int64_t>());
        } catch (const c10::Error&) {
            throw PerceptionError(fmt::format("{}: not a checkpoint, or damaged", request_.checkpoint.string()));
        }
    }

    std::uint64_t request_digest() const {
        std::string text =
            fmt::format("{} {} {} {} {} {} {} {}", request_.network, request_.seed, request_.steps, request_.batch,
                        request_.learning_rate, request_.pictures, request_.rows, request_.left_out);
        for (const auto& folder : request_.data) text += fmt::format(" {}", folder.string());
        return XXH3_64bits(text.data(), text.size());
    }

    void write_results(std::uint64_t step, const TrainingOutcome& outcome) const {
        std::vector<StoredTensor> dense;
        std::vector<StoredTensor> slots;
        for (StoredTensor& tensor : folded_weights(*network_)) {
            if (!tensor.name.starts_with("slots.")) dense.push_back(tensor);
            if (!tensor.name.starts_with("dense.")) slots.push_back(tensor);
        }
        std::map<std::string, std::string> about{{"layout", std::string(settings_.layout->name)},
                                                 {"input", fmt::format("{}x{}", settings_.width, settings_.height)},
                                                 {"seed", fmt::format("{}", request_.seed)},
                                                 {"steps", fmt::format("{} of {}", step, request_.steps)},
                                                 {"batch", fmt::format("{}", request_.batch)},
                                                 {"learning_rate", fmt::format("{}", request_.learning_rate)},
                                                 {"pictures", fmt::format("{}", train_.ready())},
                                                 {"rows", fmt::format("{}", request_.rows)},
                                                 {"format", "1"}};
        for (const auto& [name, value] : outcome.measured) about["validation " + name] = fmt::format("{:.5f}", value);
        if (!request_.left_out.empty()) about["left_out"] = request_.left_out;
        if (!slots_) {
            about["network"] = "figures";
            write_tensor_file(request_.weights, dense, about);
            return;
        }
        const bool main_is_slots = request_.network == "slots";
        about["network"] = request_.network;
        write_tensor_file(request_.weights, main_is_slots ? slots : dense, about);
        if (request_.other_weights.empty()) return;
        about["network"] = main_is_slots ? "solids" : "slots";
        write_tensor_file(request_.other_weights, main_is_slots ? dense : slots, about);
    }

    ObjectTraining request_;
    TrainingListener& listener_;
    torch::Device device_;
    unsigned threads_;
    NetworkSettings settings_;
    bool slots_;
    PicturePool train_;
    PicturePool validation_;
    PoolTensors train_tensors_;
    PoolTensors validation_tensors_;
    ObjectNetwork network_{nullptr};
    std::vector<FlatParameters> parameters_;  // of the trunk and the dense head, of the slots
    std::unique_ptr<torch::optim::AdamW> optimiser_;
    double last_loss_ = 0;
};

}  // namespace

TrainingOutcome train_object_network(const ObjectTraining& request, TrainingListener& listener) {
    return Training(request, listener).run();
}

}  // namespace neumann
