// Serialisation of a graph: its arrays as sections of a file.
#pragma once

#include "graph/graph.h"
#include "graph/levels.h"
#include "graph/section_file.h"

namespace neumann {

// The writer borrows the graph's arrays until it has written.
void add_graph_sections(const ReasoningGraph& graph, const GraphLevels& levels, SectionWriter& writer);

// Checks that the arrays form a graph (every number in range, ranges in order, bodies sorted sets) and throws
// DamagedFile if not: reasoners need not check again.
ReasoningGraph read_graph_sections(const SectionReader& reader);
GraphLevels read_level_sections(const SectionReader& reader, const ReasoningGraph& graph);

}  // namespace neumann
