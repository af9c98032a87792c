#include "infer/network_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace neumann {
namespace {

NetworkSettings settings_for(const char* name, const ObjectLayout& layout, std::int64_t features) {
    NetworkSettings settings;
    settings.name = name;
    settings.layout = &layout;
    settings.width = layout.width;
    settings.height = layout.height;
    settings.features = features;
    settings.sure = 3;
    return settings;
}

}  // namespace

NetworkSettings figures_settings() {
    NetworkSettings settings = settings_for("figures", flat_layout(), 32);
    settings.merge = 4;
    settings.unsure = 4.5;
    return settings;
}

NetworkSettings solids_settings() {
    NetworkSettings settings = settings_for("solids", solid_layout(), 64);
    settings.merge = 3.5;
    settings.unsure = 5;
    return settings;
}

const std::vector<std::string>& object_networks() {
    static const std::vector<std::string> names{"figures", "solids", "slots"};
    return names;
}

NetworkSettings settings_of(const std::string& network) {
    if (network == "figures") return figures_settings();
    NetworkSettings settings = solids_settings();
    settings.name = network;
    if (network == "solids" || network == "slots") return settings;
    throw PerceptionError(
        fmt::format("there is no network '{}'; there are {}", network, fmt::join(object_networks(), ", ")));
}

}  // namespace neumann
