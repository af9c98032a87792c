// The engines that a graph can be reasoned with. A new one is a folder with a reasoner, and a line in the list of
// engines.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "graph/levels.h"
#include "reason/reason_options.h"

namespace neumann {

class GraphReasoner;

struct EngineInfo {
    std::string_view name;
    std::string_view command_name;  // what the command line calls it
    std::string_view summary;
    bool gradients;              // has a backward pass
    bool double_precision;       // results carry more than a float's digits
    bool automatic_steps;        // does without a number of steps
    bool device_memory = false;  // takes arrays in the memory of a graphics card, too
    std::unique_ptr<GraphReasoner> (*make)(ReasoningGraph graph, const ReasonOptions& options,
                                           const GraphLevels* levels);
};

// Those that every machine has, the default first: without `cuda` and `auto`, which go to a graphics card.
std::span<const EngineInfo* const> all_engines();
const EngineInfo* find_engine(std::string_view name);  // of all there are, by either name; null if there is none

// `levels` may be null: they are computed if they are needed. Throws ReasonError for an unknown engine, or options that
// the engine cannot do.
std::unique_ptr<GraphReasoner> make_reasoner(std::string_view engine, ReasoningGraph graph,
                                             const ReasonOptions& options, const GraphLevels* levels = nullptr);
// On the engine of the options.
std::unique_ptr<GraphReasoner> make_reasoner(ReasoningGraph graph, const ReasonOptions& options,
                                             const GraphLevels* levels = nullptr);

}  // namespace neumann
