#include "reason/schedule.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/pod_vector.h"
#include "reason/reason_error.h"

namespace neumann {
namespace {

bool is_derived(const ReasoningGraph& graph, std::uint32_t atom) {
    return graph.in_begin[atom] != graph.in_begin[atom + 1];
}

// The minimum-maximum value of one atom for every example of a row.
void strongest(const ReasoningGraph& graph, std::uint32_t atom, const float* values, const float* initial,
               unsigned width, float* conjunction, float* result) {
    std::copy_n(initial + std::size_t{atom} * width, width, result);
    for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c) {
        std::fill_n(conjunction, width, 1.0F);
        for (const GraphLiteral literal : graph.literals(c)) {
            const float* x = values + std::size_t{literal.atom()} * width;
            for (unsigned lane = 0; lane < width; ++lane)
                conjunction[lane] = std::min(conjunction[lane], literal.negated() ? 1 - x[lane] : x[lane]);
        }
        for (unsigned lane = 0; lane < width; ++lane) result[lane] = std::max(result[lane], conjunction[lane]);
    }
}

}  // namespace

Schedule fixed_schedule(const ReasoningGraph& graph, std::uint32_t steps) {
    Schedule schedule;
    schedule.steps = steps;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        if (is_derived(graph, a)) schedule.atoms.push_back(a);
    }
    if (graph.monotone) {
        schedule.phases.push_back({0, static_cast<std::uint32_t>(schedule.atoms.size()), false});
        return schedule;
    }
    const std::vector<std::uint32_t> stratum = find_strata(graph, find_levels(graph));
    std::ranges::stable_sort(schedule.atoms, {}, [&](std::uint32_t a) { return stratum[a]; });
    std::uint32_t begin = 0;
    for (std::uint32_t i = 1; i <= schedule.atoms.size(); ++i) {
        if (i < schedule.atoms.size() && stratum[schedule.atoms[i]] == stratum[schedule.atoms[begin]]) continue;
        schedule.phases.push_back({begin, i, false});
        begin = i;
    }
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
    const auto add_phase = [&](std::span<const std::uint32_t> atoms, bool cyclic) {
        if (atoms.empty()) return;
        const auto begin = static_cast<std::uint32_t>(schedule.atoms.size());
        schedule.atoms.insert(schedule.atoms.end(), atoms.begin(), atoms.end());
        schedule.phases.push_back({begin, static_cast<std::uint32_t>(schedule.atoms.size()), cyclic});
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
        add_phase(acyclic, false);
        for (const auto& [component, atoms] : cyclic) add_phase(atoms, true);
    }
    return schedule;
}

std::vector<std::uint32_t> find_repeats(const ReasoningGraph& graph, const Schedule& schedule,
                                        std::span<const float> initial, unsigned width) {
    std::vector<std::uint32_t> repeats(schedule.phases.size() * width, 1);
    if (schedule.cyclic_components == 0) return repeats;
    PodVector<float> values;
    values.append(initial);
    std::vector<float> conjunction(width);
    PodVector<float> next;
    for (std::size_t p = 0; p < schedule.phases.size(); ++p) {
        const Phase& phase = schedule.phases[p];
        const std::span<const std::uint32_t> atoms = schedule.atoms_of(phase);
        next.resize_uninitialized(atoms.size() * width);
        for (std::uint32_t round = 1;; ++round) {
            for (std::size_t i = 0; i < atoms.size(); ++i)
                strongest(graph, atoms[i], values.data(), initial.data(), width, conjunction.data(), &next[i * width]);
            bool changed = false;
            for (std::size_t i = 0; i < atoms.size(); ++i) {
                float* now = &values[std::size_t{atoms[i]} * width];
                for (unsigned lane = 0; lane < width; ++lane) {
                    if (now[lane] == next[i * width + lane]) continue;
                    now[lane] = next[i * width + lane];
                    repeats[p * width + lane] = round;
                    changed = true;
                }
            }
            if (!phase.cyclic || !changed) break;
        }
        if (!phase.cyclic) std::fill_n(repeats.begin() + static_cast<std::ptrdiff_t>(p * width), width, 1);
    }
    return repeats;
}

}  // namespace neumann
