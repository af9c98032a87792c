#include "prove/compile.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "prove/choice_order.h"

namespace neumann {
namespace {

constexpr std::size_t most_orders = 3;

}  // namespace

Circuit compile_circuit(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                        const CompileLimits& limits) {
    const RandomChoices choices(graph, task);
    std::vector<std::vector<std::uint32_t>> orders = choice_orders(graph, task, choices);
    const std::size_t tried = std::min(orders.size(), most_orders);
    for (std::size_t i = 0; i + 1 < tried; ++i) {
        try {
            return make_circuit(graph, choices,
                                compile_worlds(graph, levels, task, choices, std::move(orders[i]), limits));
        } catch (const DiagramLimit&) {  // the next one, then
        }
    }
    return make_circuit(graph, choices,
                        compile_worlds(graph, levels, task, choices, std::move(orders[tried - 1]), limits));
}

}  // namespace neumann
