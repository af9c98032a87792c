// Export of the graph: DOT for drawing, JSON for other programs. The caller provides the labels.
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

// In JSON a conjunction has the atoms of its body and, if there are any, its negated atoms as `negated`.
void export_dot(const ReasoningGraph& graph, const GraphLabels& labels, const TextSink& out);
void export_json(const ReasoningGraph& graph, const GraphLabels& labels, const TextSink& out);

}  // namespace neumann
