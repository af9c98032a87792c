// Compilation of queries to a circuit, by decision diagrams or by eliminated tables.
#pragma once

#include <cstdint>
#include <string_view>

#include "graph/graph.h"
#include "graph/levels.h"
#include "worlds/circuit.h"
#include "worlds/diagram_compiler.h"
#include "worlds/random_choices.h"

namespace neumann {

// Tries another order of choices if one becomes large. Throws DiagramLimit if none fits, and any exception that watch()
// throws.
CompiledWorlds compile_diagrams(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                                const RandomChoices& choices, const CompileLimits& limits);

enum class CompileMethod : std::uint8_t {
    Auto,      // what costs less by its forecast
    Diagrams,  // decision diagrams: any program
    // Programs whose uncertain atoms do not depend on themselves:
    Tables,  // bucket elimination: where a few variables separate the others
    Search,  // exhaustive search: where conditions leave few worlds
    Sums,    // sums over rules that exclude each other: where all do, and their goals are independent
};
std::string_view name_of(CompileMethod method);

// The method that was taken; for tables, their forecast. Auto: diagrams, of a program too easy for a choice.
struct CompileReport {
    CompileMethod method = CompileMethod::Auto;
    double width = 0;  // binary logarithm of the rows of the largest table
    double rows = 0;   // of all tables
};

// The circuit of a task. Throws as above.
Circuit compile_circuit(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                        const RandomChoices& choices, const CompileLimits& limits,
                        CompileMethod method = CompileMethod::Auto, CompileReport* report = nullptr);
Circuit compile_circuit(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                        const CompileLimits& limits);

}  // namespace neumann
