#include "worlds/compile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "worlds/choice_order.h"

namespace neumann {
namespace {

constexpr std::uint64_t steps_per_literal = 8;
constexpr std::uint64_t quick_steps = std::uint64_t{1} << 22;  // about a second
constexpr std::uint64_t most_steps_in_a_race = std::uint64_t{1} << 30;

}  // namespace

CompiledWorlds compile_diagrams(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                                const RandomChoices& choices, const CompileLimits& limits) {
    const auto attempt_within = [&](const std::vector<std::uint32_t>& order,
                                    std::uint64_t steps) -> std::optional<CompiledWorlds> {
        CompileLimits within = limits;
        within.steps = std::min(limits.steps, steps);
        try {
            return compile_worlds(graph, levels, task, choices, order, within);
        } catch (const DiagramLimit&) {
            return std::nullopt;
        }
    };
    // Many programs are easy in any order that respects their structure: try that for as long as the search for a
    // better order would take.
    std::uint64_t literals = 0;
    for (const std::uint32_t atom : choices.atoms()) literals += graph.dependencies(atom).size();
    const std::vector<std::uint32_t> first = choice_orders(graph, task, choices, OrderEffort::None)[0];
    if (std::optional<CompiledWorlds> worlds = attempt_within(first, steps_per_literal * literals))
        return std::move(*worlds);
    // Most are easy in a good one.
    const std::vector<std::uint32_t> quick = choice_orders(graph, task, choices, OrderEffort::Quick)[0];
    if (std::optional<CompiledWorlds> worlds = attempt_within(quick, quick_steps)) return std::move(*worlds);
    const auto watch = [&] {
        if (limits.watch) limits.watch(0, choices.atoms().size(), 0);
    };
    // For the others a search for a better order pays. No estimate tells reliably which order is better, so the two
    // race: each has so many steps, then four times as many.
    const std::vector<std::uint32_t> thorough = choice_orders(graph, task, choices, OrderEffort::Thorough, watch)[0];
    for (std::uint64_t steps = 4 * quick_steps; steps <= most_steps_in_a_race; steps *= 4) {
        for (const std::vector<std::uint32_t>& order : {std::cref(thorough), std::cref(quick)})
            if (std::optional<CompiledWorlds> worlds = attempt_within(order, steps)) return std::move(*worlds);
    }
    return compile_worlds(graph, levels, task, choices, thorough, limits);
}

Circuit compile_circuit(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                        const CompileLimits& limits) {
    const RandomChoices choices(graph, task);
    return make_circuit(choices, compile_diagrams(graph, levels, task, choices, limits));
}

}  // namespace neumann
