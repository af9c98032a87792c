// Multi-valued decision diagrams, reduced and ordered (MDD; with two outcomes a BDD): Boolean functions of choices that
// come out in one of several ways, as shared nodes. A node asks for the outcome of one choice and has a branch for
// each; choices are asked in the order of their numbers, no function has two nodes, and no node has equal branches
// only.
//
// Our own rather than BuDDy's: a choice of ten digits is one node of ten branches here and a ladder of nine there, the
// manager is a value (several at once, on any thread), limits are exceptions, and there are no complemented edges, so
// that the probability of a node is a sum of products without differences: small ones keep their digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/pod_vector.h"
#include "base/slot_table.h"

namespace neumann {

// More nodes or steps than are allowed.
struct DiagramLimit : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class DecisionDiagrams {
public:
    using Node = std::uint32_t;
    static constexpr Node never = 0;
    static constexpr Node always = 1;

    struct Limits {
        std::uint64_t bytes = UINT64_MAX;
        std::uint64_t steps = UINT64_MAX;  // nodes computed: the same on every machine
        // Called every so many steps with the number of nodes; may throw any exception.
        std::function<void(std::size_t nodes)> watch = {};
    };

    // `outcomes` of each choice, at least two. The number of a choice is its place in the order.
    explicit DecisionDiagrams(std::vector<std::uint32_t> outcomes) : DecisionDiagrams(std::move(outcomes), Limits()) {}
    DecisionDiagrams(std::vector<std::uint32_t> outcomes, Limits limits);

    // The choice comes out this way.
    Node outcome(std::uint32_t choice, std::uint32_t way);
    Node both(Node a, Node b) { return combine(Operation::And, a, b); }
    Node either(Node a, Node b) { return combine(Operation::Or, a, b); }
    Node negation(Node a) { return combine(Operation::Not, a, a); }
    // Of any number of functions, two neighbours at a time: those of similar ones stay small. Changes the array.
    Node all_of(std::vector<Node>& nodes) { return fold(Operation::And, nodes); }
    Node any_of(std::vector<Node>& nodes) { return fold(Operation::Or, nodes); }

    static bool is_constant(Node node) { return node <= always; }
    std::uint32_t choice(Node node) const { return choice_[node]; }
    // In the order of the outcomes. Holds until a node is made.
    std::span<const Node> branches(Node node) const {
        return {branches_.data() + first_branch_[node], outcomes_[choice_[node]]};
    }
    std::size_t choices() const { return outcomes_.size(); }
    std::size_t nodes() const { return choice_.size(); }  // including unreachable ones
    std::uint64_t bytes() const;

    void stop_watching() { limits_.watch = {}; }
    void set_limits(Limits limits) { limits_ = std::move(limits); }
    // Forgets all nodes but those under `kept`, which get other numbers. Branches have smaller numbers than the node.
    void keep_only(std::span<Node> kept);
    // All nodes under some, the constants aside, branches first.
    std::vector<Node> nodes_under(std::span<const Node> roots) const;

private:
    enum class Operation : std::uint32_t { And, Or, Not };
    struct Frame {
        Node a;
        Node b;
        std::uint32_t choice;
        std::uint32_t next;  // which branch is computed next
    };
    struct Known {  // an entry of the cache
        std::uint32_t a = UINT32_MAX;
        std::uint32_t b = UINT32_MAX;
        std::uint32_t operation = 0;
        Node result = 0;
    };
    static constexpr std::uint32_t unasked = UINT32_MAX;  // the choice of a constant

    Node fold(Operation operation, std::vector<Node>& nodes);
    Node combine(Operation operation, Node a, Node b);
    // Whether the result is plain without computing, or known.
    bool look_up(Operation operation, Node& a, Node& b, Node& result) const;
    Known& cached(Operation operation, Node a, Node b);
    const Known& cached(Operation operation, Node a, Node b) const;
    Node branch(Node node, std::uint32_t choice, std::uint32_t way) const;
    void push(Node a, Node b);
    Node make(std::uint32_t choice, std::span<const Node> branches);
    std::uint32_t hash_of(std::uint32_t choice, std::span<const Node> branches) const;
    void look_round() const;
    void require_room();
    void grow_cache();

    std::vector<std::uint32_t> outcomes_;
    Limits limits_;
    PodVector<std::uint32_t> choice_;  // per node
    PodVector<std::uint32_t> first_branch_;
    PodVector<Node> branches_;
    SlotTable table_;  // of nodes, by content
    PodVector<Known> cache_;
    // The current computation: its arguments, and the branches found so far.
    std::vector<Frame> frames_;
    std::vector<Node> found_;
    std::uint64_t steps_ = 0;
};

}  // namespace neumann
