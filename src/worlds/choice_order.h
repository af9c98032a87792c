// The order in which decision diagrams ask for choices: it decides how large they become. Each candidate is a linear
// arrangement of atoms and choices such that what depends on each other stands close together; the best is that across
// which the fewest atoms reach at a time (cutwidth).
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
    Thorough,  // seconds: for what is too large in a quick one
};

// Orders of all choices, the most promising first, without repetitions. watch() is called now and then, and may throw.
std::vector<std::vector<std::uint32_t>> choice_orders(const ReasoningGraph& graph, const WorldsTask& task,
                                                      const RandomChoices& choices, OrderEffort effort,
                                                      const std::function<void()>& watch = {});

}  // namespace neumann
