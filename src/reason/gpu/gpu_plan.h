// Division of a graph's steps into work for a GPU: items for the threads of a row each, chunks of items that are too
// long for one, and trees that join these.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "reason/gpu/gpu_step.h"
#include "reason/schedule.h"

namespace neumann {

struct GpuCuts {
    std::uint32_t chunk = 0;  // conjunctions of one item; 0: as many as suit the graph
    std::uint32_t uses = 32;  // uses of an atom, or members of a clause
    std::uint32_t sums = 12;  // sums of uses or members that are added up by one
    bool by_clause = false;   // heads are cut clause by clause
};

struct GpuRange {
    std::uint32_t begin = 0;  // in GpuPlan::items
    std::uint32_t count = 0;
};

// ORs over the conjunctions of heads.
struct GpuHeads {
    GpuRange items;   // chunks behind those that are the only one of their head
    GpuRange chunks;  // of the items, by groups
    GpuRange trees;   // owners of more chunks than a group has
    GpuRange heads;   // those of several chunks; if they are cut clause by clause, all, with their runs
    std::uint32_t results = 0;
};

// Sums over lists of their own length.
struct GpuSums {
    GpuRange items;
    std::vector<GpuRange> levels;  // of joining
    std::uint32_t results = 0;
};

struct GpuPhasePlan {
    GpuHeads heads;
    GpuSums pulls;    // of uses, for the atoms that the phase reads
    GpuSums weights;  // of members, for clauses
};

struct GpuPlan {
    std::vector<GpuItem> items;
    std::vector<GpuConjunction> packed;
    std::vector<GpuRun> runs;
    std::vector<GpuUse> uses;
    std::vector<std::uint32_t> members;  // conjunctions by phase and clause
    std::vector<GpuPhasePlan> phases;
    std::vector<std::uint32_t> fixed;  // atoms that no conjunction derives, and the constant true
    std::uint32_t head_results = 0;    // the most of any phase
    std::uint32_t results = 0;         // and of sums, too
    bool all_packed = true;            // every body fits into the packed form
};

GpuPlan make_gpu_plan(const ReasoningGraph& graph, const Schedule& schedule, GpuCuts cuts);

}  // namespace neumann
