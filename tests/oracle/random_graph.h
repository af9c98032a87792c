// Small random reasoning graphs and inputs for them, without a program: for what only the numbers decide.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "graph/graph.h"

namespace neumann::oracle {

struct GraphShape {
    std::uint32_t atoms = 12;
    std::uint32_t clauses = 5;
    std::uint32_t instances = 20;
    std::uint32_t longest_body = 4;
    bool acyclic = false;
    double negated = 0;  // of the places in acyclic bodies, how many
};

GraphShape random_shape(Rng& rng);
ReasoningGraph random_graph(Rng& rng, const GraphShape& shape);

// Values in [0,1]; some of them exactly 0, exactly 1, or equal to each other.
std::vector<float> random_values(Rng& rng, std::size_t count);

}  // namespace neumann::oracle
