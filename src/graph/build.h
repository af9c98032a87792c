// Graph construction: ground clauses in the order they were found → the graph in canonical order.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "base/pod_vector.h"
#include "graph/graph.h"

namespace neumann {

// All instances of one clause: rows of `1 + width` atom numbers, the head first.
struct InstanceBlock {
    std::uint32_t clause = 0;
    std::uint32_t width = 0;
    bool may_collapse = false;  // two literals of one instance may be the same, or one may be missing
    bool ordered = false;       // rows come in an order that does not depend on how the program was written
    PodVector<std::uint32_t> rows;
    std::vector<bool> negated;  // per body atom; empty: none is

    // In the place of a negated body atom: this instance does without it.
    static constexpr std::uint32_t missing = UINT32_MAX;

    std::size_t count() const { return rows.size() / (width + 1); }
};

struct GraphInput {
    std::vector<InstanceBlock> blocks;  // in canonical order of their clauses
    PodVector<float> initial;           // per atom
    PodVector<double> weight;           // per clause
};

// Consumes the input: blocks are freed before the last arrays are allocated. Throws IdOverflow if a number does not fit
// into 32 bits.
ReasoningGraph build_graph(GraphInput input, unsigned threads, std::size_t parallel_from = worth_a_thread);

}  // namespace neumann
