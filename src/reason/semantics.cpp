#include "reason/semantics.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reason/reason_error.h"
#include "reason/semantics/registry.h"

namespace neumann {
namespace {

template <std::size_t... Number>
constexpr std::array<SemanticsInfo, semantics_count> collect(std::index_sequence<Number...>) {
    return {SemanticsInfo{RegisteredSemantics<Number>::laws, Semantics{Number}}...};
}
constexpr auto list = collect(std::make_index_sequence<semantics_count>());

}  // namespace

std::span<const SemanticsInfo> all_semantics() { return list; }

const SemanticsInfo& info(Semantics semantics) { return list.at(static_cast<std::size_t>(semantics)); }

std::optional<Semantics> find_semantics(std::string_view name) {
    const auto* found = std::ranges::find(list, name, &SemanticsInfo::name);
    if (found == list.end()) return std::nullopt;
    return found->semantics;
}

Semantics semantics_named(std::string_view name) {
    if (const std::optional<Semantics> found = find_semantics(name)) return *found;
    std::vector<std::string_view> names;
    names.reserve(list.size());
    for (const SemanticsInfo& one : list) names.push_back(one.name);
    throw ReasonError(fmt::format("there is no semantics '{}'; there are {}", name, fmt::join(names, ", ")));
}

Semantics circuit_semantics() { return semantics_named("sum-product"); }
Semantics default_semantics() { return semantics_named(default_semantics_name); }

}  // namespace neumann
