#include "perceive/nets/network_perceiver.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/parallel.h"
#include "infer/object_detector.h"
#include "perceive/nets/decode.h"
#include "perceive/nets/device.h"
#include "perceive/nets/tensors.h"

namespace neumann {
namespace {

using torch::Tensor;

// Images per forward pass on a GPU.
constexpr std::size_t together = 64;

Tensor input_of(std::span<const Image> pictures, const NetworkSettings& settings, const torch::Device& device) {
    const Tensor bytes =
        torch::empty({static_cast<std::int64_t>(pictures.size()), settings.height, settings.width, 3}, torch::kUInt8);
    std::uint8_t* out = bytes.data_ptr<std::uint8_t>();
    for (const Image& picture : pictures) out = std::ranges::copy(network_image(picture, settings).data, out).out;
    return network_input(bytes.to(device));
}

std::string fingerprint_of(const TensorFile& weights, const NetworkSettings& settings) {
    return fmt::format("{}-{:016x}", settings.name, weights.digest());
}

class NetworkPerceiver final : public Perceiver {
public:
    NetworkPerceiver(const TensorFile& weights, const DeviceOptions& options)
        : device_(open_device(options)), threads_(thread_count(options)), network_(load_object_network(weights)),
          fingerprint_(fingerprint_of(weights, network_->settings)) {
        network_->to(device_);
    }
    const ObjectLayout& layout() const override { return *network_->settings.layout; }
    std::string fingerprint() const override { return fingerprint_; }
    // On the processor one image at a time, several threads side by side: the result of an image is independent of the
    // number of threads and of the other images.
    std::vector<SeenObjects> look(std::span<const Image> pictures) override {
        if (device_.is_cuda()) return look_together(pictures);
        std::vector<SeenObjects> result(pictures.size());
        parallel_chunks(threads_, pictures.size(), [&](std::size_t k) {
            torch::set_num_threads(1);  // of this thread's own work
            result[k] = std::move(see(pictures.subspan(k, 1)).front());
        });
        return result;
    }

private:
    std::vector<SeenObjects> see(std::span<const Image> pictures) {
        const torch::InferenceMode guard;
        return objects_seen(*network_, input_of(pictures, network_->settings, device_), network_->dense.is_empty());
    }
    std::vector<SeenObjects> look_together(std::span<const Image> pictures) {
        std::vector<SeenObjects> result;
        for (std::size_t first = 0; first < pictures.size(); first += together) {
            const std::span<const Image> some = pictures.subspan(first, std::min(together, pictures.size() - first));
            for (SeenObjects& seen : see(some)) result.push_back(std::move(seen));
        }
        return result;
    }

    torch::Device device_;
    unsigned threads_;
    ObjectNetwork network_;
    std::string fingerprint_;
};

// The attribute's own weights learn quickly, from random initial values; those of the trunk slowly, or not at all. If
// the trunk learns, a penalty keeps all other outputs close to those of a frozen copy of the network.
class LearningPerceiver final : public TrainablePerceiver {
public:
    LearningPerceiver(const TensorFile& weights, const TrainablePart& part, const DeviceOptions& options)
        : device_(open_device(options)), weights_(weights), network_(load_object_network(weights)), part_(part) {
        if (network_->dense.is_empty())
            throw PerceptionError(fmt::format("{}: only dense networks can learn through logic", weights.name()));
        const AttributeColumns* found = layout().find(part.attribute);
        if (found == nullptr)
            throw PerceptionError(
                fmt::format("{}: this network says nothing about '{}'", weights.name(), part.attribute));
        first_ = found->first;
        count_ = static_cast<std::int64_t>(found->values.size());
        network_->to(device_);
        forget();
        std::vector<torch::optim::OptimizerParamGroup> groups;
        groups.emplace_back(network_->dense->rows->parameters(),
                            std::make_unique<torch::optim::AdamOptions>(part.learning_rate));
        std::vector<Tensor> others;
        for (const auto& parameter : network_->named_parameters())
            if (!parameter.key().starts_with("dense.rows")) others.push_back(parameter.value());
        if (part.trunk_learning_rate > 0) {
            as_it_was_ = load_object_network(weights);
            as_it_was_->to(device_);
            groups.emplace_back(others, std::make_unique<torch::optim::AdamOptions>(part.trunk_learning_rate));
        } else {
            for (Tensor& parameter : others) parameter.requires_grad_(false);
        }
        optimiser_ = std::make_unique<torch::optim::Adam>(groups, torch::optim::AdamOptions(part.learning_rate));
    }

    const ObjectLayout& layout() const override { return *network_->settings.layout; }
    std::string fingerprint() const override { return "learning"; }
    std::vector<SeenObjects> look(std::span<const Image> pictures) override {
        const torch::NoGradGuard no_grad;
        return objects_seen(*network_, input_of(pictures, network_->settings, device_), false);
    }
    std::vector<SeenObjects> look_and_remember(std::span<const Image> pictures) override {
        const NetworkSettings& settings = network_->settings;
        const Tensor input = input_of(pictures, settings, device_);
        const Tensor map = network_->dense(network_->trunk->forward(input));
        const auto picked = pick_cells(map.detach().to(torch::kCPU), settings);
        drift_ = as_it_was_ ? drift(map, input) : Tensor();
        remembered_.clear();
        std::vector<SeenObjects> result;
        for (std::size_t k = 0; k < picked.size(); ++k) {
            const Tensor numbers = torch::tensor(picked[k], torch::kInt64).to(device_);
            const Tensor raw =
                map.select(0, static_cast<std::int64_t>(k)).flatten(1).index_select(1, numbers).transpose(0, 1);
            const Tensor rows = activated(raw, settings, cell_middles(picked[k], settings).to(device_));
            remembered_.push_back(rows);
            const Tensor plain = rows.detach().to(torch::kCPU).contiguous();
            const float* data = plain.data_ptr<float>();
            result.push_back({settings.layout, std::vector<float>(data, data + plain.numel()), {}});
        }
        return result;
    }
    void learn(std::span<const std::vector<float>> gradients) override {
        if (gradients.size() != remembered_.size())
            throw std::invalid_argument("gradients of other pictures than those remembered");
        optimiser_->zero_grad();
        std::vector<Tensor> said;
        std::vector<Tensor> by;
        for (std::size_t k = 0; k < gradients.size(); ++k) {
            const Tensor& rows = remembered_[k];
            if (static_cast<std::int64_t>(gradients[k].size()) != rows.numel())
                throw std::invalid_argument("gradients of other objects than those remembered");
            if (gradients[k].empty()) continue;
            const Tensor gradient = torch::tensor(gradients[k]).view_as(rows);
            said.push_back(rows.narrow(1, first_, count_).flatten());
            by.push_back(gradient.narrow(1, first_, count_).flatten().to(device_));
        }
        remembered_.clear();
        if (said.empty()) return;
        // Its derivative by the outputs is the given gradient.
        Tensor loss = torch::dot(torch::cat(said), torch::cat(by));
        if (drift_.defined()) loss = loss + drift_;
        loss.backward();
        keep_others();
        optimiser_->step();
    }
    void save(const std::filesystem::path& path) override {
        std::map<std::string, std::string> about = weights_.metadata();
        about["learned_through_logic"] = part_.attribute;
        write_tensor_file(path, folded_weights(*network_), about);
    }

private:
    void forget() {
        const torch::NoGradGuard no_grad;
        torch::manual_seed(part_.seed);
        Tensor& weight = network_->dense->rows->weight;
        weight.narrow(0, first_, count_).copy_(torch::randn({count_, weight.size(1), 1, 1}) * 0.01);
        network_->dense->rows->bias.narrow(0, first_, count_).zero_();
    }
    // The drift of all other outputs from the frozen copy, mean square: over all cells, and over those with objects,
    // which are few.
    Tensor drift(const Tensor& map, const Tensor& input) {
        Tensor before;
        {
            const torch::NoGradGuard no_grad;
            before = as_it_was_->dense(as_it_was_->trunk->forward(input));
        }
        const std::int64_t after = first_ + count_;
        const Tensor apart = (map - before).square();
        const Tensor others =
            torch::cat({apart.narrow(1, 0, first_), apart.narrow(1, after, apart.size(1) - after)}, 1).mean(1);
        const Tensor sees = (before.select(1, column::presence) > 0).to(torch::kFloat32);
        return others.mean() + (others * sees).sum() / sees.sum().clamp_min(1);
    }
    // Keeps the last layer's weights of the other outputs.
    void keep_others() {
        const torch::NoGradGuard no_grad;
        for (Tensor parameter : network_->dense->rows->parameters()) {
            Tensor gradient = parameter.mutable_grad();
            gradient.narrow(0, 0, first_).zero_();
            gradient.narrow(0, first_ + count_, gradient.size(0) - first_ - count_).zero_();
        }
    }

    torch::Device device_;
    TensorFile weights_;
    ObjectNetwork network_;
    ObjectNetwork as_it_was_{nullptr};  // null: the trunk does not learn
    TrainablePart part_;
    std::int64_t first_ = 0;
    std::int64_t count_ = 0;
    std::unique_ptr<torch::optim::Adam> optimiser_;
    std::vector<Tensor> remembered_;  // rows of each image, with their computation graph
    Tensor drift_;                    // of the same images
};

}  // namespace

std::unique_ptr<Perceiver> open_perceiver(const TensorFile& weights, const DeviceOptions& options) {
    return std::make_unique<NetworkPerceiver>(weights, options);
}

std::unique_ptr<TrainablePerceiver> open_trainable_perceiver(const TensorFile& weights, const TrainablePart& part,
                                                             const DeviceOptions& options) {
    return std::make_unique<LearningPerceiver>(weights, part, options);
}

}  // namespace neumann
