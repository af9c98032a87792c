// Number of updates of each cycle of an automatic schedule for an example.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <neumann/types.h>

#include "graph/graph.h"
#include "reason/schedule.h"

namespace neumann {

// How often each cyclic phase has to be updated for an example: until every atom has found its strongest derivation,
// which is when minimum and maximum without weights no longer change anything; at least once. It depends on the example
// alone, and on a crisp one it is the number of steps until everything that can be derived has been.
//
// `initial` holds rows of `width` examples, of which the first `examples` count; the result has a row of `width` for
// each phase, with 1 for phases without a cycle and for unused places.
std::vector<std::uint32_t> find_repeats(const ReasoningGraph& graph, const Schedule& schedule,
                                        std::span<const float> initial, unsigned width, unsigned examples,
                                        const ProgressFunction& progress = {});

}  // namespace neumann
