#include "infer/object_detector.h"

#include <optional>

#include <fmt/format.h>

#include "image/pictures.h"
#include "infer/decode.h"
#include "infer/dense_head.h"
#include "infer/slot_attention.h"
#include "infer/trunk.h"

namespace neumann {
namespace {

using infer::FeatureMap;

// Three channels around 0, with a border of 1.
FeatureMap network_input(const Image& image) {
    FeatureMap input(image.width, image.height, 3, 1);
    const std::uint8_t* pixel = image.data.data();
    for (std::ptrdiff_t y = 0; y < static_cast<std::ptrdiff_t>(image.height); ++y)
        for (std::ptrdiff_t x = 0; x < static_cast<std::ptrdiff_t>(image.width); ++x)
            for (std::size_t channel = 0; channel < 3; ++channel)
                input.at(x, y)[channel] = static_cast<float>(*pixel++) / 127.5F - 1;
    return input;
}

RawRows raw(const FeatureMap& map) { return {map.at(0, 0), map.width * map.height, map.stride}; }

}  // namespace

NetworkSettings settings_of(const TensorFile& weights) {
    const std::string name(weights.metadata("network"));
    if (name.empty())
        throw PerceptionError(fmt::format(
            "{}: these are not the weights of an object network (its header has no \"network\")", weights.name()));
    if (has_slots(weights) && weights.find("slots.narrowness.weight") == nullptr)
        throw PerceptionError(fmt::format("{}: these slots are of an earlier kind, which this version does"
                                          " not run; train them again with `neumann train slots`",
                                          weights.name()));
    return settings_of(name);
}

bool has_dense_head(const TensorFile& weights) { return weights.find("dense.rows.weight") != nullptr; }
bool has_slots(const TensorFile& weights) { return weights.find("slots.start") != nullptr; }

Image network_image(const Image& image, const NetworkSettings& settings) {
    const auto width = static_cast<unsigned>(settings.width);
    const auto height = static_cast<unsigned>(settings.height);
    Image result = image.width == width && image.height == height ? image : resized(image, width, height);
    if (result.channels == 3) return result;
    Image coloured = Image::blank(width, height, 3);
    auto out = coloured.data.begin();
    for (const std::uint8_t grey : result.data) out = std::fill_n(out, 3, grey);
    return coloured;
}

struct ObjectDetector::Network {
    explicit Network(const TensorFile& file) : settings(settings_of(file)) {
        infer::WeightReader weights(file);
        trunk = infer::read_trunk(weights, settings);
        if (has_dense_head(file)) dense.emplace(weights, settings);
        if (has_slots(file)) slots.emplace(weights, settings);
        weights.require_all_taken();
        if (!dense && !slots)
            throw PerceptionError(fmt::format("{}: this network has no head: neither dense nor slots", file.name()));
    }

    NetworkSettings settings;
    std::unique_ptr<infer::Trunk> trunk;
    std::optional<infer::DenseHead> dense;
    std::optional<infer::SlotAttention> slots;
};

ObjectDetector::ObjectDetector(const TensorFile& weights) : network_(std::make_unique<Network>(weights)) {}
ObjectDetector::~ObjectDetector() = default;
ObjectDetector::ObjectDetector(ObjectDetector&&) noexcept = default;

const NetworkSettings& ObjectDetector::settings() const { return network_->settings; }

SeenObjects ObjectDetector::see(const Image& image) const {
    const Network& network = *network_;
    const FeatureMap features = (*network.trunk)(network_input(network_image(image, network.settings)));
    if (network.dense) return objects_of_map(raw((*network.dense)(features)), network.settings);
    const infer::SlotAttention::Result slots = (*network.slots)(features);
    return objects_of_slots(raw(slots.rows), raw(slots.attention), network.settings);
}

}  // namespace neumann
