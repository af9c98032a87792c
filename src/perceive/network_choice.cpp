#include "perceive/network_choice.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/suggest.h"
#include "perceive/picture_kind.h"
#include "perceive/weights_folder.h"

namespace neumann {
namespace {

constexpr std::string_view bundled[] = {"figures", "solids", "slots"};

bool is_bundled(std::string_view name) { return std::ranges::find(bundled, name) != std::end(bundled); }

}  // namespace

NetworkChoice::Network NetworkChoice::open(const std::string& name, const DeviceOptions& options) {
    std::error_code ignored;
    if (!is_bundled(name) && !std::filesystem::exists(name, ignored))
        throw PerceptionError(fmt::format("--network: there is no network and no file '{}'; {}", name,
                                          did_you_mean_or_list(name, {"auto", "figures", "solids", "slots"})));
    const TensorFile weights = TensorFile::read(is_bundled(name) ? find_weights(name) : std::filesystem::path(name));
    return {perception_component().open(weights, options), {}};
}

NetworkChoice::NetworkChoice(const std::string& name, const DeviceOptions& options) : automatic_(name == "auto") {
    if (!automatic_) {
        first_ = open(name, options);
        fingerprint_ = first_.perceiver->fingerprint();
        return;
    }
    perception_component();  // without it nothing else matters
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
        // The component is a library with layouts of its own, and layouts are compared by address.
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
        (flat.back() ? flat_pictures : others).push_back(picture);
    }
    std::vector<SeenObjects> in_flat = look_with(first_, flat_pictures);
    std::vector<SeenObjects> in_others = look_with(second_, others);
    std::vector<SeenObjects> seen;
    auto next_flat = in_flat.begin();
    auto next_other = in_others.begin();
    for (const bool is_flat : flat) seen.push_back(std::move(is_flat ? *next_flat++ : *next_other++));
    return seen;
}

}  // namespace neumann
