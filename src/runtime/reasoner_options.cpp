#include "runtime/reasoner_options.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <neumann/error.h>

#include "base/parallel.h"
#include "base/suggest.h"

namespace neumann {
namespace {

Semantics semantics_called(const std::string& name) {
    if (has_worlds(name)) return circuit_semantics();
    if (const std::optional<Semantics> found = find_semantics(name)) return *found;
    std::vector<std::string> known{std::string(exact_semantics_name), std::string(sample_semantics_name),
                                   std::string(topk_semantics_name)};
    for (const SemanticsInfo& one : all_semantics()) known.emplace_back(one.name);
    throw std::invalid_argument(fmt::format("there is no semantics '{}'; {}", name, did_you_mean_or_list(name, known)));
}

}  // namespace

std::string engine_on(std::string_view device, bool beside_network) {
    if (device == "cpu") return "graph";
    if (device == "auto" || beside_network) return "auto";
    if (device == "cuda") return "cuda";
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
