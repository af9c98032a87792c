// Reasoning by the most probable proofs: the value of an answer is the exact probability that one of its k most
// probable proofs holds, which is a lower bound of its own. Gradients are exact derivatives of that value.
//
// Few proofs are merged along the graph (worlds/merged_proofs), which finds those of all answers in one pass over an
// example. Many, and those that the merged ones do not lead to, are searched from the answer (worlds/world_proofs).
//
// The upper bound is the least of two: bounds propagated through the graph (worlds/bound_propagation), which cost
// nothing but are loose where proofs share much; and the probability of a diagram that everything implies
// (worlds/bounded_functions), which is exact on small programs and exact for the most probable parts of larger ones.
// The remainder of the proofs gives no useful upper bound: there may be any number of others. If there are no others,
// both bounds are the exact value. Bounds are computed when they are read.
//
// Under evidence a value is the probability that a proof of the answer and of the evidence holds, divided by that of
// the evidence, or by an upper bound of it.
#pragma once

#include <cstdint>
#include <memory>

#include "reason/reasoner.h"
#include "worlds/bounded_functions.h"
#include "worlds/random_choices.h"
#include "worlds/world_proofs.h"

namespace neumann {

struct TopkOptions {
    std::uint32_t k = 10;
    std::uint32_t most_merged = 64;  // a larger k is searched for
    WorldProofSearch::Settings search = {};
    BoundingLimits bounding = {};
    // Lower bounds are the best that are known, not those of the proofs alone: for exact values that could not be had.
    bool tightest = false;
};

// `memory_limit` is that of all; 0: none.
TopkOptions topk_options(std::uint32_t k, std::uint64_t memory_limit);

// Only the task's queries have values. An example's values depend on that example alone.
std::unique_ptr<GraphReasoner> make_topk_reasoner(ReasoningGraph graph, const GraphLevels& levels, WorldsTask task,
                                                  const ReasonOptions& options, const TopkOptions& topk);

}  // namespace neumann
