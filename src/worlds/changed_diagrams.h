// Copies of decision diagrams: the same in another manager, or smaller ones in which the least important parts are
// constant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "worlds/decision_diagrams.h"
#include "worlds/diagram_weights.h"

namespace neumann {

// Copies functions of one manager into another with the same choices.
class DiagramCopier {
public:
    using Node = DecisionDiagrams::Node;
    DiagramCopier(const DecisionDiagrams& from, DecisionDiagrams& to) : from_(from), to_(to) {}

    Node operator()(Node node);
    // After the other manager has renumbered its nodes.
    void forget() { copied_.clear(); }

private:
    const DecisionDiagrams& from_;
    DecisionDiagrams& to_;
    static constexpr Node unknown = UINT32_MAX;
    std::vector<Node> copied_;  // per node
};

class DiagramShrinker {
public:
    using Node = DecisionDiagrams::Node;
    DiagramShrinker(DecisionDiagrams& diagrams, const WayProbabilities& ways, std::size_t most_nodes)
        : diagrams_(diagrams), ways_(ways), weights_(diagrams, ways), most_nodes_(most_nodes) {}

    // Itself if it has few enough nodes, else a smaller one that implies it (constant never) or that it implies
    // (constant always).
    Node operator()(Node node, Node constant);
    // After the manager has renumbered its nodes.
    void forget();
    std::uint64_t work() const { return work_; }  // visited nodes

private:
    bool collect(Node root);

    DecisionDiagrams& diagrams_;
    const WayProbabilities& ways_;
    DiagramWeights weights_;
    std::size_t most_nodes_;
    std::vector<std::uint32_t> seen_;  // per node: in which collection
    std::uint32_t collection_ = 0;
    std::vector<Node> nodes_;  // of the current function
    std::uint64_t work_ = 0;
};

}  // namespace neumann
