// Bucket elimination: from a graph to a circuit by summing out variables of factor tables, one after the other. Tables
// keep only rows that are not 0, so that sums, counters and states of automata take as many rows as they have values.
#pragma once

#include <memory>

#include "graph/graph.h"
#include "worlds/circuit.h"
#include "worlds/diagram_compiler.h"
#include "worlds/elimination_order.h"
#include "worlds/random_choices.h"

namespace neumann {

// Tables of a task, and the order in which they are eliminated: the forecast comes before the work.
class Elimination {
public:
    // Throws DiagramLimit for a program that this method cannot do: uncertain atoms depend on themselves, or tables
    // become too large; and any exception that limits.watch() throws.
    Elimination(const ReasoningGraph& graph, const WorldsTask& task, const RandomChoices& choices,
                const CompileLimits& limits);
    ~Elimination();

    double rows() const;
    double width() const;

    // Throws likewise. Once.
    Circuit run();

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

}  // namespace neumann
