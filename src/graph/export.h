// The graph for people and other programs: DOT for pictures, JSON for everything else. Labels come from whoever knows
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "graph/graph.h"

namespace neumann {

struct GraphLabels {
    std::function<std::string(std::uint32_t)> atom;
    std::function<std::string(std::uint32_t)> clause;
};

// Writes pieces of text to `out`, so that a large graph never stands in memory as text.
using TextSink = std::function<void(const std::string&)>;

// In JSON a conjunction has the atoms of its body and, where there are any, those that are `negated`.
void export_dot(const ReasoningGraph& graph, const GraphLabels& labels, const TextSink& out);
void export_json(const ReasoningGraph& graph, const GraphLabels& labels, const TextSink& out);

}  // namespace neumann
