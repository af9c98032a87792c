#include "worlds/changed_diagrams.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

namespace neumann {
namespace {

using Node = DecisionDiagrams::Node;

// The function that asks for a choice and goes on with one of the branches, which it changes.
Node branching(DecisionDiagrams& diagrams, std::uint32_t choice, std::vector<Node>& branches) {
    for (std::uint32_t way = 0; way < branches.size(); ++way)
        branches[way] = diagrams.both(diagrams.outcome(choice, way), branches[way]);
    return diagrams.any_of(branches);
}

}  // namespace

DecisionDiagrams::Node DiagramCopier::operator()(Node node) {
    copied_.resize(std::max(copied_.size(), std::size_t{from_.nodes()}), unknown);
    copied_[DecisionDiagrams::never] = DecisionDiagrams::never;
    copied_[DecisionDiagrams::always] = DecisionDiagrams::always;
    std::vector<Node> open{node};
    std::vector<Node> parts;
    while (!open.empty()) {
        const Node at = open.back();
        if (copied_[at] != unknown) {
            open.pop_back();
            continue;
        }
        const std::size_t before = open.size();
        parts.clear();
        for (const Node below : from_.branches(at)) {
            if (copied_[below] == unknown) open.push_back(below);
            parts.push_back(copied_[below]);
        }
        if (open.size() > before) continue;
        open.pop_back();
        copied_[at] = branching(to_, from_.choice(at), parts);
    }
    return copied_[node];
}

void DiagramShrinker::forget() {
    weights_.forget();
    seen_.clear();
    collection_ = 0;
}

// Whether it has too many nodes: then they are all found.
bool DiagramShrinker::collect(Node root) {
    seen_.resize(diagrams_.nodes(), 0);
    ++collection_;
    nodes_.clear();
    const auto add = [&](Node node) {
        if (DecisionDiagrams::is_constant(node) || seen_[node] == collection_) return;
        seen_[node] = collection_;
        nodes_.push_back(node);
    };
    add(root);
    for (std::size_t next = 0; next < nodes_.size(); ++next)
        for (const Node below : diagrams_.branches(nodes_[next])) add(below);
    work_ += nodes_.size();
    return nodes_.size() > most_nodes_;
}

DecisionDiagrams::Node DiagramShrinker::operator()(Node node, Node constant) {
    if (!collect(node)) return node;
    weights_(node);
    std::ranges::sort(nodes_);  // branches first
    std::unordered_map<Node, double> reach{{node, 1.0}};
    std::vector<std::pair<double, Node>> loss;  // the change of probability if a node is replaced
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        const Node at = nodes_[i];
        const double weight = weights_(at);
        const double mass = reach[at];
        if (at != node) loss.emplace_back(mass * (constant == DecisionDiagrams::always ? 1 - weight : weight), at);
        const std::span<const Node> branches = diagrams_.branches(at);
        for (std::size_t way = 0; way < branches.size(); ++way)
            reach[branches[way]] += mass * ways_[diagrams_.choice(at)][way];
    }
    // To half of the limit, so that it is not repeated at once.
    std::ranges::sort(loss);
    loss.resize(loss.size() - std::min(loss.size(), most_nodes_ / 2));
    std::unordered_map<Node, Node> made{{DecisionDiagrams::never, DecisionDiagrams::never},
                                        {DecisionDiagrams::always, DecisionDiagrams::always}};
    for (const auto& [changed, at] : loss) made[at] = constant;
    std::vector<Node> parts;
    for (const Node at : nodes_) {
        if (made.contains(at)) continue;
        parts.clear();
        for (const Node below : diagrams_.branches(at)) parts.push_back(made.at(below));
        made[at] = branching(diagrams_, diagrams_.choice(at), parts);
    }
    return made.at(node);
}

}  // namespace neumann
