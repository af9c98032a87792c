#include "worlds/circuit_builder.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"

namespace neumann {
namespace {

using Node = Circuit::Node;
using Term = CircuitBuilder::Term;

Term ordered(Term term) {
    if (term.left > term.right) std::swap(term.left, term.right);
    return term;
}

}  // namespace

CircuitBuilder::CircuitBuilder(const Circuit& circuit)
    : circuit_(circuit), first_sum_(static_cast<Node>(circuit.first_sum())), ways_at_(circuit.ways(), 0),
      term_begin_(circuit.first_sum() + 1, 0U) {
    for (const Circuit::Distribution& one : circuit.distributions) {
        const std::uint32_t impossible = one.complete ? 1 : 0;
        ways_at_[one.first_way + impossible] = static_cast<std::uint32_t>(one.parameters.size()) + 1 - impossible;
    }
}

std::uint64_t CircuitBuilder::bytes() const {
    return term_begin_.capacity_bytes() + terms_.capacity_bytes() + known_.bytes();
}

Node CircuitBuilder::marker() {
    const auto node = static_cast<Node>(nodes());
    term_begin_.push_back(static_cast<std::uint32_t>(terms_.size()));
    return node;
}

Node CircuitBuilder::product(Node a, Node b) {
    if (a == Circuit::never || b == Circuit::never) return Circuit::never;
    if (a == Circuit::always) return b;
    if (b == Circuit::always) return a;
    const Term term = ordered({a, b});
    return node_of({&term, 1});
}

// Whether some terms were the ways of a distribution, each times the same node: they are that node then.
bool CircuitBuilder::merge_distributions(std::vector<Term>& terms) const {
    std::vector<bool> gone(terms.size(), false);
    std::vector<Term> merged;
    const auto place_of = [&](Term term) -> std::size_t {
        auto at = static_cast<std::size_t>(std::ranges::lower_bound(terms, term) - terms.begin());
        while (at < terms.size() && terms[at] == term && gone[at]) ++at;  // a term may stand here twice
        return at < terms.size() && terms[at] == term ? at : terms.size();
    };
    std::vector<std::size_t> places;
    const auto merge_from = [&](std::size_t t, Node way, Node other) {
        if (gone[t] || way < 2 || way >= first_sum_ || ways_at_[way - 2] == 0) return;
        places.assign(1, t);
        for (std::uint32_t i = 1; i < ways_at_[way - 2]; ++i) {
            const std::size_t place = place_of(ordered({way + i, other}));
            if (place == terms.size() || std::ranges::find(places, place) != places.end()) return;
            places.push_back(place);
        }
        for (const std::size_t place : places) gone[place] = true;
        merged.push_back({Circuit::always, other});
    };
    for (std::size_t t = 0; t < terms.size(); ++t) {
        merge_from(t, terms[t].left, terms[t].right);
        merge_from(t, terms[t].right, terms[t].left);
    }
    if (merged.empty()) return false;
    for (std::size_t t = 0; t < terms.size(); ++t)
        if (!gone[t]) merged.push_back(terms[t]);
    terms = std::move(merged);
    return true;
}

Node CircuitBuilder::sum(std::vector<Term>& terms) {
    std::erase_if(terms, [](Term term) { return term.left == Circuit::never || term.right == Circuit::never; });
    for (Term& term : terms) term = ordered(term);
    do std::ranges::sort(terms);
    while (terms.size() > 1 && merge_distributions(terms));
    if (terms.empty()) return Circuit::never;
    if (terms.size() == 1 && terms[0].left == Circuit::always) return terms[0].right;
    return node_of(terms);
}

Node CircuitBuilder::node_of(std::span<const Term> terms) {
    WordHash hash(static_cast<std::uint32_t>(terms.size()));
    for (const Term term : terms) {
        hash.add(term.left);
        hash.add(term.right);
    }
    const std::uint32_t finished = hash.finish();
    const std::uint32_t there =
        known_.find(finished, [&](std::uint32_t node) { return std::ranges::equal(this->terms(node), terms); });
    if (there != SlotTable::absent) return there;
    const auto node = static_cast<Node>(nodes());
    for (const Term term : terms) terms_.push_back(term);
    term_begin_.push_back(static_cast<std::uint32_t>(terms_.size()));
    known_.insert(finished, node);
    return node;
}

// Backwards, as numbers would be: the derivative of a node adds up those of the sums above it, each times the other
// factor.
std::vector<Node> CircuitBuilder::derivatives(Node of, std::span<const Node> markers) {
    std::vector<bool> depends(std::size_t{of} + 1, false);
    for (const Node one : markers)
        if (one <= of) depends[one] = true;
    for (Node node = first_sum_; node <= of; ++node) {
        for (const Term term : terms(node))
            if (depends[term.left] || depends[term.right]) depends[node] = true;
    }
    std::vector<std::vector<Term>> above(std::size_t{of} + 1);
    std::vector<Node> found(std::size_t{of} + 1, Circuit::never);
    for (Node node = of + 1; node-- > first_sum_;) {
        if (!depends[node]) continue;
        found[node] = node == of ? Circuit::always : sum(above[node]);
        std::vector<Term>().swap(above[node]);
        if (found[node] == Circuit::never) continue;
        for (std::size_t t = term_begin_[node]; t < term_begin_[node + 1]; ++t) {
            const Term term = terms_[t];
            if (depends[term.left]) above[term.left].push_back({found[node], term.right});
            if (depends[term.right]) above[term.right].push_back({found[node], term.left});
        }
    }
    std::vector<Node> result;
    result.reserve(markers.size());
    for (const Node one : markers) result.push_back(one <= of ? found[one] : Circuit::never);
    return result;
}

void CircuitBuilder::finish(Circuit& circuit) const {
    const auto mark_below = [](const CircuitBuilder& builder, const std::vector<Node>& roots) {
        std::vector<bool> used(builder.nodes(), false);
        for (const Node root : roots) used[root] = true;
        for (auto node = static_cast<Node>(builder.nodes()); node-- > builder.first_sum_;) {
            if (!used[node]) continue;
            for (const Term term : builder.terms(node)) used[term.left] = used[term.right] = true;
        }
        return used;
    };
    std::vector<Node> roots = circuit.asked;
    roots.push_back(circuit.observed);
    // Once more without markers: more becomes plain then.
    CircuitBuilder plain(circuit_);
    std::vector<Node> number(nodes());
    const std::vector<bool> used = mark_below(*this, roots);
    std::vector<Term> some;
    for (Node node = 0; node < nodes(); ++node) {
        if (node < first_sum_) {
            number[node] = node;
        } else if (is_marker(node)) {
            number[node] = Circuit::always;
        } else if (used[node]) {
            some.clear();
            for (const Term term : terms(node)) some.push_back({number[term.left], number[term.right]});
            number[node] = plain.sum(some);
        }
    }
    for (Node& root : roots) root = number[root];
    const std::vector<bool> kept = mark_below(plain, roots);
    PodVector<std::uint32_t> term_begin(first_sum_);
    PodVector<Node> left;
    PodVector<Node> right;
    number.assign(plain.nodes(), Circuit::never);
    for (Node node = 0; node < plain.nodes(); ++node) {
        if (node < first_sum_) {
            number[node] = node;
        } else if (kept[node]) {
            number[node] = static_cast<Node>(term_begin.size());
            term_begin.push_back(static_cast<std::uint32_t>(left.size()));
            for (const Term term : plain.terms(node)) {
                left.push_back(number[term.left]);
                right.push_back(number[term.right]);
            }
        }
    }
    term_begin.push_back(static_cast<std::uint32_t>(left.size()));
    circuit.term_begin = SharedArray(std::move(term_begin));
    circuit.left = SharedArray(std::move(left));
    circuit.right = SharedArray(std::move(right));
    for (std::size_t i = 0; i + 1 < roots.size(); ++i) circuit.asked[i] = number[roots[i]];
    circuit.observed = number[roots.back()];
}

}  // namespace neumann
