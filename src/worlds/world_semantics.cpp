#include "worlds/world_semantics.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/suggest.h"
#include "reason/semantics.h"

namespace neumann {
namespace {

#define WORLD_SEMANTICS(name) &name##_semantics,
constexpr const WorldSemantics* world_list[] = {
#include "worlds/semantics/registry.inc"
};
#undef WORLD_SEMANTICS

std::vector<SemanticsSummary> list_known() {
    std::vector<SemanticsSummary> all;
    for (const SemanticsInfo& one : all_semantics())
        all.push_back({.name = one.name,
                       .summary = one.summary,
                       .uses_gamma = one.uses_gamma,
                       .keeps_zero = one.keeps_zero,
                       .needs_steps = one.needs_steps,
                       .for_learning = one.for_learning});
    for (const WorldSemantics* one : world_list) all.push_back(one->laws);
    return all;
}

}  // namespace

std::span<const WorldSemantics* const> all_world_semantics() { return world_list; }

const WorldSemantics* find_world_semantics(std::string_view name) {
    const auto* const found =
        std::ranges::find(world_list, name, [](const WorldSemantics* one) { return one->laws.name; });
    return found == std::end(world_list) ? nullptr : *found;
}

std::span<const SemanticsSummary> known_semantics() {
    static const std::vector<SemanticsSummary> all = list_known();
    return all;
}

const SemanticsSummary* find_known_semantics(std::string_view name) {
    const auto found = std::ranges::find(known_semantics(), name, &SemanticsSummary::name);
    return found == known_semantics().end() ? nullptr : &*found;
}

const SemanticsSummary& semantics_summary(std::string_view name) {
    if (const SemanticsSummary* const found = find_known_semantics(name)) return *found;
    std::vector<std::string> known;
    for (const SemanticsSummary& one : known_semantics()) known.emplace_back(one.name);
    throw std::invalid_argument(fmt::format("there is no semantics '{}'; {}", name, did_you_mean_or_list(name, known)));
}

}  // namespace neumann
