#include "session/reasoner_options.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <neumann/error.h>
#include <neumann/semantics.h>

#include "base/parallel.h"
#include "reason/engines.h"

namespace neumann {
namespace {

// On the graph: worlds have circuits.
Semantics semantics_called(const std::string& name) {
    return semantics_summary(name).has_worlds ? circuit_semantics() : semantics_named(name);
}

}  // namespace

std::span<const EngineSummary> known_engines() {
    static const std::vector<EngineSummary> all = [] {
        std::vector<EngineSummary> engines;
        for (const EngineInfo* one : all_engines())
            engines.push_back({.name = one->command_name,
                               .summary = one->summary,
                               .device = one->device,
                               .needs_device = one->device_use == DeviceUse::Always,
                               .has_gradients = one->gradients,
                               .double_precision = one->double_precision,
                               .needs_steps = !one->automatic_steps,
                               .takes_kernel = one->takes_kernel});
        return engines;
    }();
    return all;
}

const EngineSummary* find_known_engine(std::string_view engine) {
    const auto found = std::ranges::find(known_engines(), engine, &EngineSummary::name);
    return found == known_engines().end() ? nullptr : &*found;
}

std::string engine_on(std::string_view device, bool beside_network) {
    const auto engines = all_engines();
    auto found = std::ranges::find(engines, device, &EngineInfo::device);
    const bool may_fail = found == engines.end() || (*found)->device_use == DeviceUse::Always;
    if (beside_network && may_fail) found = std::ranges::find(engines, DeviceUse::WhereItPays, &EngineInfo::device_use);
    if (found != engines.end()) return std::string((*found)->command_name);
    throw OptionError("device", fmt::format("expected cpu, cuda or auto, not '{}'", device));
}

ReasonOptions reason_options(const ReasonerOptions& options) {
    return {.engine = options.engine,
            .semantics = semantics_called(options.semantics),
            .gamma = options.gamma,
            .steps = options.steps,
            .threads = options.threads == 0 ? hardware_threads() : options.threads,
            .kernel = options.kernel,
            .memory_budget = options.memory_budget,
            .memory_limit = options.memory_limit,
            .progress = options.progress};
}

}  // namespace neumann
