// Functions of atoms between two decision diagrams: one that implies the function and one that it implies. Within its
// limits both are the function itself. Beyond them diagrams are kept small by replacing the parts that matter least by
// a constant: false in the lower and true in the upper diagram; negation exchanges the two. So the bounds are sound
// with negation, exclusive outcomes and cycles, and as tight as the limits allow: the removed parts are those with the
// least probability.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "graph/levels.h"
#include "worlds/decision_diagrams.h"
#include "worlds/random_choices.h"

namespace neumann {

struct BoundingLimits {
    std::uint64_t bytes = std::uint64_t{1} << 28;  // of all diagrams
    // Of making them, in steps of the diagrams: the same on every machine. 0: no attempt.
    std::uint64_t exact_steps = std::uint64_t{1} << 20;
    std::uint64_t steps = std::uint64_t{1} << 21;
    std::uint64_t union_steps = std::uint64_t{1} << 22;  // of the union of proofs
    std::size_t most_nodes = 1024;                       // of one function, in the attempt with the largest
    bool finish_in_time = false;  // wider bounds rather than none when the time of the run is nearly over
};

struct FunctionBounds {
    DecisionDiagrams::Node low = DecisionDiagrams::never;
    DecisionDiagrams::Node high = DecisionDiagrams::always;
    bool exact() const { return low == high; }
};

struct BoundedFunctions {
    DecisionDiagrams diagrams;
    std::vector<std::uint32_t> order;       // the choice at each place of the diagrams
    std::vector<FunctionBounds> functions;  // of the atoms, in their order
};

struct BoundingTask {
    const ReasoningGraph& graph;
    const GraphLevels& levels;
    const RandomChoices& choices;
    std::span<const std::uint32_t> order;  // of the choices
    std::span<const std::uint32_t> atoms;  // whose functions are wanted
};

// The functions themselves; nothing if they do not fit the limits.
std::optional<BoundedFunctions> exact_functions(const BoundingTask& task, const BoundingLimits& limits);
// Bounds for these probabilities; sound for all others, too.
BoundedFunctions bounded_functions(const BoundingTask& task, const Chances& chances, const BoundingLimits& limits);

}  // namespace neumann
