#include "perceive/network_choice.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "perceive/picture_kind.h"
#include "perceive/processor_perceiver.h"
#include "perceive/weights_folder.h"

namespace neumann {
namespace {

// On the processor the library's own networks; on a GPU those of the component. A component that the environment names
// is used for every device.
bool on_processor(const DeviceOptions& options) {
    if (std::getenv(perception_variable) != nullptr) return false;
    if (options.device == "cpu") return true;
    if (options.device.starts_with("cuda")) return false;
    if (options.device != "auto")
        throw PerceptionError("--device: expected cpu, cuda, cuda:NUMBER or auto, not '" + options.device + "'");
    try {
        return !perception_component().has_gpu();
    } catch (const PerceptionError&) {
        return true;  // no component
    }
}

}  // namespace

NetworkChoice::Network NetworkChoice::open(const std::string& name, const DeviceOptions& options) {
    const TensorFile weights = TensorFile::read(weights_of(name));
    if (on_processor(options)) return {open_on_processor(weights, options.threads), {}};
    return {perception_component().open(weights, options), {}};
}

NetworkChoice::NetworkChoice(const std::string& name, const DeviceOptions& options) : automatic_(name == "auto") {
    if (!automatic_) {
        first_ = open(name, options);
        fingerprint_ = first_.perceiver->fingerprint();
        return;
    }
    if (!on_processor(options)) perception_component();  // without it nothing else matters
    for (const auto& [network, which] : {std::pair(&first_, "figures"), std::pair(&second_, "solids")}) {
        try {
            *network = open(which, options);
        } catch (const PerceptionError& error) {
            network->missing = error.what();
        }
        fingerprint_ += fmt::format("{}{}", fingerprint_.empty() ? "auto-" : "-",
                                    network->perceiver == nullptr ? "none" : network->perceiver->fingerprint());
    }
    if (first_.perceiver == nullptr && second_.perceiver == nullptr) throw PerceptionError(first_.missing);
}

NetworkChoice::~NetworkChoice() = default;

std::vector<SeenObjects> NetworkChoice::look_with(Network& network, std::span<const Image> pictures) {
    if (pictures.empty()) return {};
    if (network.perceiver == nullptr) throw PerceptionError(network.missing);
    std::vector<SeenObjects> seen = network.perceiver->look(pictures);
    if (seen.size() != pictures.size()) throw PerceptionError("a network has not answered for every picture");
    for (SeenObjects& one : seen) {
        // The component has its own layouts; from here on results refer to ours.
        one.layout = one.layout == nullptr ? nullptr : find_layout(one.layout->name);
        if (one.layout == nullptr || one.rows.size() % one.layout->columns != 0)
            throw PerceptionError("a network gives its objects in a form that is not known");
    }
    return seen;
}

std::vector<SeenObjects> NetworkChoice::look(std::span<const Image> pictures) {
    if (!automatic_) return look_with(first_, pictures);
    std::vector<bool> flat;
    std::vector<Image> flat_pictures;
    std::vector<Image> others;
    for (const Image& picture : pictures) {
        flat.push_back(shows_flat_figures(picture));
        undecided_ += picture_kind(picture) == PictureKind::Undecided ? 1 : 0;
        (flat.back() ? flat_pictures : others).push_back(picture);
    }
    std::vector<SeenObjects> in_flat = look_with(first_, flat_pictures);
    std::vector<SeenObjects> in_others = look_with(second_, others);
    std::vector<SeenObjects> seen;
    seen.reserve(flat.size());
    auto next_flat = in_flat.begin();
    auto next_other = in_others.begin();
    for (const bool is_flat : flat) seen.push_back(std::move(is_flat ? *next_flat++ : *next_other++));
    return seen;
}

}  // namespace neumann
