#include "reason/schedule.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "reason/reason_error.h"

namespace neumann {
namespace {

bool is_derived(const ReasoningGraph& graph, std::uint32_t atom) {
    return graph.in_begin[atom] != graph.in_begin[atom + 1];
}

void find_places(Schedule& schedule, std::uint32_t atoms) {
    schedule.place.assign(atoms, Schedule::nowhere);
    for (std::uint32_t i = 0; i < schedule.atoms.size(); ++i) schedule.place[schedule.atoms[i]] = i;
}

}  // namespace

std::uint32_t Schedule::count_steps(std::span<const std::uint32_t> rounds) const {
    std::uint32_t steps_taken = 0;
    for (std::size_t first = 0; first < phases.size();) {
        std::uint32_t longest = 0;
        const std::uint32_t turn = phases[first].turn;
        for (; first < phases.size() && phases[first].turn == turn; ++first) longest = std::max(longest, rounds[first]);
        steps_taken += longest;
    }
    return steps_taken;
}

Schedule fixed_schedule(const ReasoningGraph& graph, std::uint32_t steps) {
    Schedule schedule;
    schedule.steps = steps;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        if (is_derived(graph, a)) schedule.atoms.push_back(a);
    }
    if (graph.monotone) {
        schedule.phases.push_back({0, static_cast<std::uint32_t>(schedule.atoms.size()), false, 0});
        find_places(schedule, graph.atom_count());
        return schedule;
    }
    const std::vector<std::uint32_t> stratum = find_strata(graph, find_levels(graph));
    std::ranges::stable_sort(schedule.atoms, {}, [&](std::uint32_t a) { return stratum[a]; });
    std::uint32_t begin = 0;
    for (std::uint32_t i = 1; i <= schedule.atoms.size(); ++i) {
        if (i < schedule.atoms.size() && stratum[schedule.atoms[i]] == stratum[schedule.atoms[begin]]) continue;
        schedule.phases.push_back({begin, i, false, stratum[schedule.atoms[begin]]});
        begin = i;
    }
    find_places(schedule, graph.atom_count());
    return schedule;
}

Schedule automatic_schedule(const ReasoningGraph& graph, const GraphLevels& levels) {
    for (std::uint32_t c = 0; c < graph.conjunction_count() && !graph.monotone; ++c) {
        const std::uint32_t component = levels.component[graph.head[c]];
        for (const GraphLiteral literal : graph.literals(c)) {
            if (literal.negated() && levels.component[literal.atom()] == component)
                throw ReasonError(
                    fmt::format("atom {} depends on the negation of atom {}, which depends on it: no number"
                                " of steps is enough",
                                graph.head[c], literal.atom()));
        }
    }
    Schedule schedule;
    schedule.automatic = true;
    const auto add_phase = [&](std::span<const std::uint32_t> atoms, bool cyclic, std::uint32_t level) {
        if (atoms.empty()) return;
        const auto begin = static_cast<std::uint32_t>(schedule.atoms.size());
        schedule.atoms.insert(schedule.atoms.end(), atoms.begin(), atoms.end());
        schedule.phases.push_back({begin, static_cast<std::uint32_t>(schedule.atoms.size()), cyclic, level});
        (cyclic ? schedule.cyclic_components : schedule.steps) += 1;
    };
    std::vector<std::uint32_t> acyclic;
    for (std::uint32_t level = 0; level < levels.level_count(); ++level) {
        acyclic.clear();
        std::map<std::uint32_t, std::vector<std::uint32_t>> cyclic;  // by component
        for (std::uint32_t i = levels.level_begin[level]; i < levels.level_begin[level + 1]; ++i) {
            const std::uint32_t atom = levels.level_atoms[i];
            if (!is_derived(graph, atom)) continue;
            const std::uint32_t component = levels.component[atom];
            (levels.cyclic[component] != 0 ? cyclic[component] : acyclic).push_back(atom);
        }
        add_phase(acyclic, false, level);
        for (const auto& [component, atoms] : cyclic) add_phase(atoms, true, level);
    }
    find_places(schedule, graph.atom_count());
    return schedule;
}

}  // namespace neumann
