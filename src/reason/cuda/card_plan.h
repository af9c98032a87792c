// How the work of a graph's steps is cut up for a card: items for the threads of a row each, chunks of what is too long
// for one, and trees that join these.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "reason/cuda/card_step.h"
#include "reason/schedule.h"

namespace neumann {

struct CardCuts {
    std::uint32_t chunk = 0;   // conjunctions of one item; 0: as many as suit the graph
    std::uint32_t uses = 32;   // uses of an atom, or members of a clause
    std::uint32_t radix = 12;  // results that are joined by one
    bool heads = true;         // heads may be cut, too
};

struct CardRange {
    std::uint32_t begin = 0;  // in CardPlan::items
    std::uint32_t count = 0;
    std::uint32_t class_end[3] = {0, 0, 0};
};

// Sums, or ORs, over lists of their own length.
struct CardWorkPlan {
    CardRange items;
    CardRange chunks;               // those of the items that are not all that their owner has
    CardRange last;                 // the roots of trees
    std::vector<CardRange> levels;  // of joining
    std::uint32_t partials = 0;
};

struct CardPhasePlan {
    CardWorkPlan heads;    // of conjunctions
    CardWorkPlan pulls;    // of uses, for the atoms that the phase reads
    CardWorkPlan weights;  // of members, for clauses
};

struct CardPlan {
    std::vector<CardItem> items;
    std::vector<CardConjunction> packed;
    std::vector<CardUse> uses;
    std::vector<std::uint32_t> members;  // conjunctions by phase and clause
    std::vector<CardPhasePlan> phases;
    std::vector<std::uint32_t> fixed;  // atoms that nothing derives, and what is true
    std::uint32_t partials = 0;        // the most of any work
    std::uint32_t head_partials = 0;   // and of heads
};

CardPlan make_card_plan(const ReasoningGraph& graph, const Schedule& schedule, CardCuts cuts);

}  // namespace neumann
