// Schedule of updates: T steps for all atoms, or, automatically, level by level.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "graph/levels.h"

namespace neumann {

// Atoms that are updated together, all from the values before the update.
struct Phase {
    std::uint32_t begin = 0;  // in Schedule::atoms
    std::uint32_t end = 0;
    bool cyclic = false;  // they depend on each other: updated more than once
    // Phases of one turn stand side by side and do not depend on each other: their steps are taken at the same time.
    std::uint32_t turn = 0;
};

struct Schedule {
    std::vector<std::uint32_t> atoms;  // derived atoms, by phase, ascending within one
    std::vector<std::uint32_t> place;  // per atom: where it stands in `atoms`; nowhere if nothing derives it
    std::vector<Phase> phases;         // fixed: one per stratum, each updated `steps` times
    bool automatic = false;
    std::uint32_t steps = 0;  // fixed: T; automatic: one for every phase that is not cyclic
    std::uint32_t cyclic_components = 0;

    static constexpr std::uint32_t nowhere = UINT32_MAX;

    // Automatic: without those of cycles, which an example decides about.
    std::uint32_t total_steps() const { return automatic ? steps : steps * static_cast<std::uint32_t>(phases.size()); }
    std::span<const std::uint32_t> atoms_of(const Phase& phase) const {
        return std::span(atoms).subspan(phase.begin, phase.end - phase.begin);
    }

    // Of an atom that something derives.
    std::size_t phase_of(std::uint32_t atom) const {
        return static_cast<std::size_t>(std::ranges::upper_bound(phases, place[atom], {}, &Phase::begin) -
                                        phases.begin()) -
               1;
    }

    // Goes through the steps when phases have the numbers of updates in `rounds`: visit(phase, round) for each phase
    // that is updated in a step, then step_done().
    template <class Visit, class StepDone>
    void for_each_step(std::span<const std::uint32_t> rounds, Visit&& visit, StepDone&& step_done) const {
        for (std::uint32_t first = 0; first < phases.size();) {
            std::uint32_t last = first;
            std::uint32_t longest = 0;
            for (; last < phases.size() && phases[last].turn == phases[first].turn; ++last)
                longest = std::max(longest, rounds[last]);
            for (std::uint32_t round = 1; round <= longest; ++round) {
                for (std::uint32_t phase = first; phase < last; ++phase) {
                    if (round <= rounds[phase]) visit(phase, round);
                }
                step_done();
            }
            first = last;
        }
    }
    std::uint32_t count_steps(std::span<const std::uint32_t> rounds) const;
};

// T steps for every stratum: a negated literal is read when its atom has its value. A monotone graph is one stratum.
Schedule fixed_schedule(const ReasoningGraph& graph, std::uint32_t steps);
Schedule automatic_schedule(const ReasoningGraph& graph, const GraphLevels& levels);

}  // namespace neumann
