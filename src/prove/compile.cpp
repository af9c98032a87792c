#include "prove/compile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "prove/choice_order.h"

namespace neumann {
namespace {

constexpr std::uint64_t quick_steps = std::uint64_t{1} << 22;  // about a second
constexpr std::size_t most_orders = 3;

}  // namespace

Circuit compile_circuit(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                        const CompileLimits& limits) {
    const RandomChoices choices(graph, task);
    const auto attempt = [&](std::vector<std::uint32_t> order, const CompileLimits& within) {
        return make_circuit(graph, choices, compile_worlds(graph, levels, task, choices, std::move(order), within));
    };
    const auto attempt_unless_too_large = [&](std::vector<std::uint32_t> order,
                                              const CompileLimits& within) -> std::optional<Circuit> {
        try {
            return attempt(std::move(order), within);
        } catch (const DiagramLimit&) {
            return std::nullopt;
        }
    };
    // Most programs are easy in any good order. For what is not, a better one is worth looking for.
    CompileLimits quick = limits;
    quick.steps = std::min(limits.steps, quick_steps);
    std::vector<std::vector<std::uint32_t>> orders = choice_orders(graph, task, choices, OrderEffort::Quick);
    if (std::optional<Circuit> circuit = attempt_unless_too_large(std::move(orders[0]), quick))
        return std::move(*circuit);
    orders = choice_orders(graph, task, choices, OrderEffort::Thorough);
    const std::size_t tried = std::min(orders.size(), most_orders);
    for (std::size_t i = 0; i + 1 < tried; ++i) {
        if (std::optional<Circuit> circuit = attempt_unless_too_large(std::move(orders[i]), limits))
            return std::move(*circuit);
    }
    return attempt(std::move(orders[tried - 1]), limits);
}

}  // namespace neumann
