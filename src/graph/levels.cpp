#include "graph/levels.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/components.h"

namespace neumann {
std::uint32_t GraphLevels::cyclic_component_count() const {
    return static_cast<std::uint32_t>(std::count(cyclic.begin(), cyclic.end(), std::uint8_t{1}));
}

GraphLevels find_levels(const ReasoningGraph& graph) {
    const std::uint32_t atoms = graph.atom_count();
    Components components = find_components(
        atoms, [&](std::uint32_t atom) { return graph.dependencies(atom); },
        [](GraphLiteral needed) { return needed.atom(); });

    PodVector<std::uint8_t> cyclic(components.count, 0);
    PodVector<std::uint32_t> members(components.count, 0);
    for (std::uint32_t a = 0; a < atoms; ++a) {
        const std::uint32_t component = components.component[a];
        const bool needs_itself =
            std::ranges::any_of(graph.dependencies(a), [&](GraphLiteral needed) { return needed.atom() == a; });
        if (++members[component] > 1 || needs_itself) cyclic[component] = 1;
    }

    // Atoms in order of their component: dependencies first.
    PodVector<std::uint32_t> begin(components.count + 1, 0);
    for (std::uint32_t c = 0; c < components.count; ++c) begin[c + 1] = begin[c] + members[c];
    PodVector<std::uint32_t> by_component(atoms);
    for (std::uint32_t a = 0; a < atoms; ++a) by_component[begin[components.component[a]]++] = a;
    PodVector<std::uint32_t> component_level(components.count, 0);
    for (std::uint32_t a : by_component) {
        std::uint32_t& level = component_level[components.component[a]];
        if (graph.in_begin[a] < graph.in_begin[a + 1]) level = std::max(level, 1U);
        for (const GraphLiteral needed : graph.dependencies(a)) {
            const std::uint32_t below = components.component[needed.atom()];
            if (below == components.component[a]) continue;
            level = std::max(level, component_level[below] + 1);
        }
    }

    PodVector<std::uint32_t> level(atoms);
    std::uint32_t deepest = 0;
    for (std::uint32_t a = 0; a < atoms; ++a) {
        level[a] = component_level[components.component[a]];
        deepest = std::max(deepest, level[a]);
    }
    PodVector<std::uint32_t> level_begin(atoms == 0 ? 1 : deepest + 2, 0);
    for (std::uint32_t a = 0; a < atoms; ++a) ++level_begin[level[a] + 1];
    for (std::size_t l = 0; l + 1 < level_begin.size(); ++l) level_begin[l + 1] += level_begin[l];
    PodVector<std::uint32_t> level_atoms(atoms);
    PodVector<std::uint32_t> cursor = level_begin;
    for (std::uint32_t a = 0; a < atoms; ++a) level_atoms[cursor[level[a]]++] = a;

    GraphLevels result;
    result.component = SharedArray(std::move(components.component));
    result.level = SharedArray(std::move(level));
    result.level_begin = SharedArray(std::move(level_begin));
    result.level_atoms = SharedArray(std::move(level_atoms));
    result.cyclic = SharedArray(std::move(cyclic));
    return result;
}

std::vector<std::uint32_t> find_strata(const ReasoningGraph& graph, const GraphLevels& levels) {
    std::vector<std::uint32_t> strata(graph.atom_count(), 0);
    if (graph.monotone) return strata;
    std::vector<std::uint32_t> order(graph.atom_count());  // components that others depend on first
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t a) { return levels.component[a]; });
    std::vector<std::uint32_t> of_component(levels.component_count(), 0);
    for (const std::uint32_t a : order) {
        std::uint32_t& stratum = of_component[levels.component[a]];
        for (const GraphLiteral needed : graph.dependencies(a)) {
            const std::uint32_t below = levels.component[needed.atom()];
            if (below != levels.component[a]) {
                stratum = std::max(stratum, of_component[below] + (needed.negated() ? 1U : 0U));
            } else if (needed.negated()) {
                throw std::invalid_argument("an atom of the graph depends on its own negation");
            }
        }
    }
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) strata[a] = of_component[levels.component[a]];
    return strata;
}

}  // namespace neumann
