// Variable order of decision diagrams: it decides how large they become. Each candidate is a linear
// arrangement of atoms and choices in which dependent ones stand close together; the best has the smallest cutwidth,
// the largest number of atoms that are open at a place.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "graph/graph.h"
#include "worlds/random_choices.h"

namespace neumann {

enum class OrderEffort : std::uint8_t {
    None,      // depth first alone
    Quick,     // milliseconds
    Thorough,  // seconds: for diagrams that are too large in a quick order
};

// Orders of all choices, the most promising first, without repetitions. watch() is called now and then, and may throw.
std::vector<std::vector<std::uint32_t>> choice_orders(const ReasoningGraph& graph, const WorldsTask& task,
                                                      const RandomChoices& choices, OrderEffort effort,
                                                      const std::function<void()>& watch = {});

}  // namespace neumann
