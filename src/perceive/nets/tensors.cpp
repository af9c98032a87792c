#include "perceive/nets/tensors.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "infer/object_detector.h"
#include "perceive/perceiver.h"

namespace neumann {
namespace {

using torch::Tensor;

void collect(const torch::nn::Module& module, const std::string& prefix, std::vector<StoredTensor>& out) {
    if (const auto* block = module.as<ConvBlockImpl>(); block != nullptr && !block->norm.is_empty()) {
        const torch::nn::BatchNorm2dImpl& norm = *block->norm;
        const Tensor scale = norm.weight / torch::sqrt(norm.running_var + norm.options.eps());
        out.push_back(stored(prefix + "conv.weight", block->conv->weight * scale.view({-1, 1, 1, 1})));
        out.push_back(stored(prefix + "conv.bias", norm.bias - norm.running_mean * scale));
        return;
    }
    for (const auto& parameter : module.named_parameters(false))
        out.push_back(stored(prefix + parameter.key(), parameter.value()));
    for (const auto& child : module.named_children()) collect(*child.value(), prefix + child.key() + ".", out);
}

}  // namespace

Tensor tensor_of(const StoredTensor& stored) {
    return torch::from_blob(const_cast<float*>(stored.values.data()), stored.shape, torch::kFloat32).clone();
}

StoredTensor stored(const std::string& name, const Tensor& tensor) {
    const Tensor plain = tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
    const float* data = plain.data_ptr<float>();
    return {name, plain.sizes().vec(), std::vector<float>(data, data + plain.numel())};
}

std::vector<StoredTensor> folded_weights(const torch::nn::Module& network) {
    const torch::NoGradGuard no_grad;
    std::vector<StoredTensor> result;
    collect(network, "", result);
    return result;
}

void load_weights(torch::nn::Module& network, const TensorFile& file) {
    const torch::NoGradGuard no_grad;
    std::set<std::string> known;
    for (const auto& parameter : network.named_parameters()) {
        known.insert(parameter.key());
        const StoredTensor* found = file.find(parameter.key());
        if (found == nullptr)
            throw PerceptionError(
                fmt::format("{}: there is no tensor '{}', which this network needs", file.name(), parameter.key()));
        if (parameter.value().sizes().vec() != found->shape)
            throw PerceptionError(fmt::format("{}: tensor '{}' has the shape [{}]; this network needs [{}]",
                                              file.name(), found->name, fmt::join(found->shape, ", "),
                                              fmt::join(parameter.value().sizes().vec(), ", ")));
        parameter.value().copy_(tensor_of(*found));
    }
    for (const StoredTensor& tensor : file.tensors())
        if (!known.contains(tensor.name))
            throw PerceptionError(
                fmt::format("{}: tensor '{}' belongs to no part of this network", file.name(), tensor.name));
}

ObjectNetwork load_object_network(const TensorFile& file) {
    ObjectNetwork network(settings_of(file), has_dense_head(file), has_slots(file), Form::Folded);
    load_weights(*network, file);
    network->eval();
    return network;
}

}  // namespace neumann
