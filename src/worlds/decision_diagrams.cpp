#include "worlds/decision_diagrams.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/memory.h"

namespace neumann {
namespace {

constexpr std::size_t least_cache = std::size_t{1} << 12;
constexpr std::size_t largest_cache = std::size_t{1} << 26;
constexpr std::uint64_t cache_share = 8;  // of the memory, at most one in so many
constexpr std::uint64_t steps_between_looks = std::uint64_t{1} << 16;

}  // namespace

DecisionDiagrams::DecisionDiagrams(std::vector<std::uint32_t> outcomes, Limits limits)
    : outcomes_(std::move(outcomes)), limits_(std::move(limits)), cache_(least_cache, Known()) {
    for (int constant = 0; constant < 2; ++constant) {
        choice_.push_back(unasked);
        first_branch_.push_back(0);
    }
}

DecisionDiagrams::Node DecisionDiagrams::outcome(std::uint32_t choice, std::uint32_t way) {
    std::vector<Node> branches(outcomes_[choice], never);
    branches[way] = always;
    return make(choice, branches);
}

std::uint64_t DecisionDiagrams::bytes() const {
    return choice_.capacity_bytes() + first_branch_.capacity_bytes() + branches_.capacity_bytes() + table_.bytes() +
           cache_.capacity_bytes();
}

DecisionDiagrams::Node DecisionDiagrams::fold(Operation operation, std::vector<Node>& nodes) {
    if (nodes.empty()) return operation == Operation::And ? always : never;
    while (nodes.size() > 1) {
        std::size_t to = 0;
        for (std::size_t i = 0; i < nodes.size(); i += 2)
            nodes[to++] = i + 1 < nodes.size() ? combine(operation, nodes[i], nodes[i + 1]) : nodes[i];
        nodes.resize(to);
    }
    return nodes[0];
}

bool DecisionDiagrams::look_up(Operation operation, Node& a, Node& b, Node& result) const {
    if (operation == Operation::Not) {
        if (is_constant(a)) {
            result = a == never ? always : never;
            return true;
        }
    } else {
        if (a > b) std::swap(a, b);
        const Node absorbing = operation == Operation::And ? never : always;
        if (a == b || b == absorbing) {
            result = b;
            return true;
        }
        if (is_constant(a)) {
            result = a == absorbing ? a : b;
            return true;
        }
        if (b == always) {  // the other constant is the smallest number
            result = a;
            return true;
        }
    }
    const Known& known = cached(operation, a, b);
    if (known.a != a || known.b != b || known.operation != static_cast<std::uint32_t>(operation)) return false;
    result = known.result;
    return true;
}

const DecisionDiagrams::Known& DecisionDiagrams::cached(Operation operation, Node a, Node b) const {
    WordHash hash(static_cast<std::uint32_t>(operation));
    hash.add(a);
    hash.add(b);
    return cache_[hash.finish() & (cache_.size() - 1)];
}

DecisionDiagrams::Known& DecisionDiagrams::cached(Operation operation, Node a, Node b) {
    return const_cast<Known&>(std::as_const(*this).cached(operation, a, b));
}

DecisionDiagrams::Node DecisionDiagrams::branch(Node node, std::uint32_t choice, std::uint32_t way) const {
    return choice_[node] == choice ? branches_[first_branch_[node] + way] : node;
}

void DecisionDiagrams::push(Node a, Node b) { frames_.push_back({a, b, std::min(choice_[a], choice_[b]), 0}); }

// With a stack of its own: diagrams are as deep as there are choices.
DecisionDiagrams::Node DecisionDiagrams::combine(Operation operation, Node a, Node b) {
    Node result = never;
    if (look_up(operation, a, b, result)) return result;
    frames_.clear();
    found_.clear();
    push(a, b);
    while (!frames_.empty()) {
        Frame& frame = frames_.back();
        const std::uint32_t ways = outcomes_[frame.choice];
        if (frame.next == ways) {
            const Frame done = frame;
            frames_.pop_back();
            const Node node = make(done.choice, std::span(found_).last(ways));
            found_.resize(found_.size() - ways);
            cached(operation, done.a, done.b) = {done.a, done.b, static_cast<std::uint32_t>(operation), node};
            found_.push_back(node);
            if (++steps_ % steps_between_looks == 0) look_round();
            continue;
        }
        Node left = branch(frame.a, frame.choice, frame.next);
        Node right = branch(frame.b, frame.choice, frame.next);
        ++frame.next;
        if (look_up(operation, left, right, result)) {
            found_.push_back(result);
        } else {
            push(left, right);
        }
    }
    return found_.back();
}

void DecisionDiagrams::look_round() const {
    if (steps_ > limits_.steps) throw DiagramLimit(fmt::format("the decision diagrams took {} steps", steps_));
    if (limits_.watch) limits_.watch(nodes());
}

std::uint32_t DecisionDiagrams::hash_of(std::uint32_t choice, std::span<const Node> branches) const {
    WordHash hash(0);
    hash.add(choice);  // not as the seed, which is only combined with the first branch: the two often go together
    for (const Node node : branches) hash.add(node);
    return hash.finish();
}

DecisionDiagrams::Node DecisionDiagrams::make(std::uint32_t choice, std::span<const Node> branches) {
    if (std::ranges::all_of(branches, [&](Node node) { return node == branches[0]; })) return branches[0];
    const std::uint32_t hash = hash_of(choice, branches);
    const std::uint32_t there = table_.find(
        hash, [&](Node node) { return choice_[node] == choice && std::ranges::equal(this->branches(node), branches); });
    if (there != SlotTable::absent) return there;
    require_room();
    const auto node = static_cast<Node>(choice_.size());
    choice_.push_back(choice);
    first_branch_.push_back(static_cast<std::uint32_t>(branches_.size()));
    for (const Node one : branches) branches_.push_back(one);
    table_.insert(hash, node);
    // A small cache forgets results, which are then computed again, with all results below them.
    const bool has_room = 2 * cache_.size() * sizeof(Known) <= limits_.bytes / cache_share;
    if (node > cache_.size() && cache_.size() < largest_cache && has_room) grow_cache();
    return node;
}

void DecisionDiagrams::require_room() {
    constexpr std::uint64_t most = UINT32_MAX - 1024;  // numbers of nodes and of branches
    const std::uint64_t now = bytes();
    if (choice_.size() < most && branches_.size() < most && now <= limits_.bytes) return;
    throw DiagramLimit(fmt::format("the decision diagrams have {} nodes and take {}", nodes(), format_bytes(now)));
}

void DecisionDiagrams::grow_cache() {
    const PodVector<Known> old = std::move(cache_);
    cache_ = PodVector<Known>(old.size() * 2, Known());
    for (const Known& known : old)
        if (known.a != UINT32_MAX) cached(static_cast<Operation>(known.operation), known.a, known.b) = known;
}

std::vector<DecisionDiagrams::Node> DecisionDiagrams::nodes_under(std::span<const Node> roots) const {
    std::vector<bool> seen(choice_.size(), false);
    for (const Node root : roots) seen[root] = true;
    std::vector<Node> result;
    for (std::size_t n = choice_.size(); n-- > 2;) {  // a node stands behind its branches
        if (!seen[n]) continue;
        result.push_back(static_cast<Node>(n));
        for (const Node below : branches(static_cast<Node>(n))) seen[below] = true;
    }
    std::ranges::reverse(result);
    return result;
}

void DecisionDiagrams::keep_only(std::span<Node> kept) {
    const std::vector<Node> live = nodes_under(kept);
    DecisionDiagrams smaller(std::move(outcomes_), std::move(limits_));
    std::vector<Node> renumbered(choice_.size(), never);
    renumbered[always] = always;
    std::vector<Node> moved;
    outcomes_ = smaller.outcomes_;  // branches() needs them
    for (const Node node : live) {
        moved.clear();
        for (const Node below : branches(node)) moved.push_back(renumbered[below]);
        renumbered[node] = smaller.make(choice_[node], moved);
    }
    for (Node& node : kept) node = renumbered[node];
    smaller.steps_ = steps_;
    *this = std::move(smaller);
}

}  // namespace neumann
