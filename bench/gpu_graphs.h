// Graphs that bench_gpu makes itself.
#pragma once

#include <cstdint>

#include "base/rng.h"
#include "graph/graph.h"

namespace neumann {

// So many conjunctions of two literals over a third as many atoms, half of which are derived.
ReasoningGraph graph_of_size(std::uint32_t conjunctions);

// A small one with bodies of every length, cycles, perhaps negated inputs, and `heavy` more conjunctions for one head.
ReasoningGraph small_random_graph(Rng& rng, bool negation, std::uint32_t heavy);
inline constexpr std::uint32_t small_graph_inputs = 12;

}  // namespace neumann
