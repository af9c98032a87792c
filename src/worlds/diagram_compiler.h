// Knowledge compilation: from a reasoning graph to decision diagrams of the queries, as functions of the random
// choices. Atoms are compiled in the order of their components; the members of a cycle together, from false upwards
// until nothing changes, which is the least fixed point of the distribution semantics.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "graph/levels.h"
#include "worlds/decision_diagrams.h"
#include "worlds/random_choices.h"

namespace neumann {

struct CompileLimits {
    std::uint64_t bytes = UINT64_MAX;  // of the diagrams
    std::uint64_t steps = UINT64_MAX;  // of their making
    // Called now and then with the numbers of compiled atoms, of all atoms and of nodes; may throw.
    std::function<void(std::size_t done, std::size_t all, std::size_t nodes)> watch = {};
};

struct CompiledWorlds {
    DecisionDiagrams diagrams;
    std::vector<std::uint32_t> order;                            // the choice at each place of the diagrams
    std::vector<DecisionDiagrams::Node> asked;                   // of task.asked: each together with the evidence
    DecisionDiagrams::Node observed = DecisionDiagrams::always;  // all evidence
};

// Diagrams and their variables.
struct WorldDiagrams {
    WorldsTask task;
    RandomChoices choices;
    CompiledWorlds diagrams;
};

// `order` has every choice once. Throws DiagramLimit, and any exception of watch().
CompiledWorlds compile_worlds(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                              const RandomChoices& choices, std::vector<std::uint32_t> order,
                              const CompileLimits& limits);

}  // namespace neumann
