// Builder of circuits from sums and products: simplifies them, makes equal nodes once, and differentiates
// symbolically. The sum of all ways of a distribution, each times the same node, is that node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pod_vector.h"
#include "base/slot_table.h"
#include "worlds/circuit.h"

namespace neumann {

class CircuitBuilder {
public:
    using Node = Circuit::Node;
    struct Term {
        Node left;
        Node right;
        friend auto operator<=>(const Term&, const Term&) = default;
    };

    // Of the circuit's distributions, which stay as they are.
    explicit CircuitBuilder(const Circuit& circuit);

    // A node of value 1 of its own, to differentiate by.
    Node marker();
    Node product(Node a, Node b);
    // Changes the array.
    Node sum(std::vector<Term>& terms);
    std::span<const Term> terms(Node node) const {
        return {terms_.data() + term_begin_[node], term_begin_[node + 1] - term_begin_[node]};
    }
    std::size_t nodes() const { return term_begin_.size() - 1; }
    std::uint64_t bytes() const;

    // The derivatives of a node by markers.
    std::vector<Node> derivatives(Node of, std::span<const Node> markers);

    // Writes the nodes under circuit.asked and circuit.observed, which are numbers of this builder, into the circuit
    // and renumbers these; markers become 1.
    void finish(Circuit& circuit) const;

private:
    bool is_marker(Node node) const { return node >= first_sum_ && terms(node).empty(); }
    Node node_of(std::span<const Term> terms);
    bool merge_distributions(std::vector<Term>& terms) const;

    const Circuit& circuit_;
    Node first_sum_;
    // Per way that is the first of its distribution that can happen: how many there are; 0: another.
    std::vector<std::uint32_t> ways_at_;
    PodVector<std::uint32_t> term_begin_;  // per node, and the end
    PodVector<Term> terms_;
    SlotTable known_;  // of sums, by their terms
};

}  // namespace neumann
