// Semantics of random worlds: ways to compute or approximate the probabilities of the distribution semantics. Each is a
// file of worlds/semantics and a line in registry.inc there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include <neumann/semantics.h>

#include "reason/reasoner.h"
#include "worlds/circuit.h"
#include "worlds/diagram_compiler.h"

namespace neumann {

// A query to a graph, and the resources that it may use.
struct WorldRequest {
    ReasoningGraph graph;
    const GraphLevels& levels;
    WorldsTask task;
    ReasonOptions reason;  // engine, threads, limit of memory
    std::uint64_t samples = 0;
    std::uint64_t seed = 0;
    std::uint32_t k = 0;
    // The task compiled: done when it is asked for, which only the semantics with that law do. Both throw where it does
    // not fit into the limits.
    std::function<std::shared_ptr<const WorldDiagrams>()> diagrams = {};
    std::function<std::shared_ptr<const CompiledTask>()> circuit = {};
};

struct WorldSemantics {
    SemanticsSummary laws;
    // Throws ReasonError for options that make no sense, and evidence that cannot be true.
    std::unique_ptr<GraphReasoner> (*make)(WorldRequest request);
};

#define WORLD_SEMANTICS(name) extern const WorldSemantics name##_semantics;
#include "worlds/semantics/registry.inc"
#undef WORLD_SEMANTICS

std::span<const WorldSemantics* const> all_world_semantics();
const WorldSemantics* find_world_semantics(std::string_view name);  // null: there is none of this name

}  // namespace neumann
