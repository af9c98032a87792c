// Union of proofs under the distribution semantics, as a decision diagram: its probability and its derivatives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "worlds/bounded_functions.h"
#include "worlds/changed_diagrams.h"
#include "worlds/decision_diagrams.h"
#include "worlds/diagram_weights.h"
#include "worlds/world_proofs.h"

namespace neumann {

class ProofUnion {
public:
    // Of the k most probable of the proofs; of fewer if their union becomes too large. An atom that must not hold is
    // replaced by its upper bound: function[atom] is its place in `bounds`. Borrows its arguments.
    ProofUnion(const BoundedFunctions& bounds, std::span<const OptionalIndex> function, const WayProbabilities& ways,
               std::span<const std::uint32_t> place_of_choice, const BoundingLimits& limits);

    void add(std::span<const WorldProof> proofs, std::size_t k);

    double probability() { return weights_(root_); }
    std::size_t counted() const { return counted_; }
    bool all() const { return all_; }  // none was left out
    void add_derivatives(double factor, WayProbabilities& by_way) { weights_.add_derivatives(root_, factor, by_way); }

private:
    using Node = DecisionDiagrams::Node;
    Node of_proof(const WorldProof& proof);
    Node unite(std::span<const WorldProof* const> proofs);
    void keep(std::span<Node> nodes);

    const BoundedFunctions& bounds_;
    std::span<const OptionalIndex> function_;
    const WayProbabilities& ways_;
    std::span<const std::uint32_t> place_;
    DecisionDiagrams::Limits limits_;
    DecisionDiagrams diagrams_;
    DiagramWeights weights_;
    DiagramCopier copy_;
    Node root_ = DecisionDiagrams::never;
    std::size_t counted_ = 0;
    bool all_ = true;
};

}  // namespace neumann
