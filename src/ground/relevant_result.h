// Result of relevant grounding: atoms and instances in canonical order.
#pragma once

#include <vector>

#include "base/pod_vector.h"
#include "ground/engine.h"
#include "ground/relation.h"

namespace neumann {

// What was discovered, in the order of discovery; rows of blocks hold row numbers of relations. It is taken apart.
struct Discovered {
    Program& program;
    const std::vector<Rule>& rules;
    const GroundOptions& options;
    std::vector<Relation>& relations;        // per predicate, behind them those of guards
    std::vector<PodVector<float>>& initial;  // per predicate: of the rows that are facts, which come first
    std::vector<InstanceBlock>& blocks;      // per rule
    std::vector<double>& seconds;            // per rule
};

Instances in_canonical_order(const Discovered& found);

}  // namespace neumann
