// Registry of engines for reasoning on a graph. A new one is a folder with a reasoner, and a line in the list of
// engines.cpp.
#pragma once

#include <cstdint>
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

enum class DeviceUse : std::uint8_t { Never, WhereItPays, Always };  // of a GPU; Always: fails without one

struct EngineInfo {
    std::string_view name;
    std::string_view command_name;    // the name on the command line
    std::string_view summary;         // for help texts
    std::string_view device = "cpu";  // the name of its device on the command line
    DeviceUse device_use = DeviceUse::Never;
    bool gradients;              // has a backward pass, and runs circuits
    bool double_precision;       // results carry more than a float's digits
    bool automatic_steps;        // does without a number of steps
    bool device_memory = false;  // takes arrays in the memory of a GPU, too
    bool takes_kernel = false;   // computes by the instruction set that ReasonOptions::kernel names
    std::unique_ptr<GraphReasoner> (*make)(ReasoningGraph graph, const ReasonOptions& options,
                                           const GraphLevels* levels);
};

std::span<const EngineInfo* const> all_engines();      // the default first
const EngineInfo* find_engine(std::string_view name);  // by either name; null if there is none
const EngineInfo& precise_engine();                    // the first in double precision that has gradients

// `levels` may be null: they are computed if they are needed. Throws ReasonError for an unknown engine, or options that
// the engine cannot do.
std::unique_ptr<GraphReasoner> make_reasoner(std::string_view engine, ReasoningGraph graph,
                                             const ReasonOptions& options, const GraphLevels* levels = nullptr);
// On the engine of the options.
std::unique_ptr<GraphReasoner> make_reasoner(ReasoningGraph graph, const ReasonOptions& options,
                                             const GraphLevels* levels = nullptr);

}  // namespace neumann
