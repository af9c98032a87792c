// In which order and how often atoms are updated: T steps for all, or, automatically, level by level.
#pragma once

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
};

struct Schedule {
    std::vector<std::uint32_t> atoms;  // those that something derives, by phase, ascending within one
    std::vector<Phase> phases;         // fixed: one per stratum, each updated `steps` times
    bool automatic = false;
    std::uint32_t steps = 0;  // fixed: T; automatic: one for every phase that is not cyclic
    std::uint32_t cyclic_components = 0;

    // Automatic: without those of cycles, which an example decides about.
    std::uint32_t total_steps() const { return automatic ? steps : steps * static_cast<std::uint32_t>(phases.size()); }
    std::span<const std::uint32_t> atoms_of(const Phase& phase) const {
        return std::span(atoms).subspan(phase.begin, phase.end - phase.begin);
    }
};

// T steps for every stratum: a negated literal is read when its atom has its value. A monotone graph is one stratum.
Schedule fixed_schedule(const ReasoningGraph& graph, std::uint32_t steps);
Schedule automatic_schedule(const ReasoningGraph& graph, const GraphLevels& levels);

// How often each cyclic phase has to be updated for an example: until every atom has found its strongest derivation,
// which is when minimum and maximum without weights no longer change anything; at least once. It depends on the example
// alone, and on a crisp one it is the number of steps until everything that can be derived has been.
//
// `initial` holds rows of `width` examples; the result has a row for each phase, of which those that are not cyclic
// are 1.
std::vector<std::uint32_t> find_repeats(const ReasoningGraph& graph, const Schedule& schedule,
                                        std::span<const float> initial, unsigned width);

}  // namespace neumann
