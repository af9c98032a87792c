// Positive graph: the negation of an atom is an atom of its own, whose value is given,
// because strata make it known before its first use. So derivations are searched in monotone graphs only.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace neumann {

class PositiveGraph {
public:
    explicit PositiveGraph(const ReasoningGraph& graph);

    // Atoms, clauses and conjunctions have the numbers of the graph that it was made of, and bodies their order;
    // negations are the atoms behind them. It has no uses.
    const ReasoningGraph& graph() const { return graph_; }

    bool is_negation(std::uint32_t atom) const { return atom >= own_; }
    // The atom that a negation is of.
    std::uint32_t negated(std::uint32_t negation) const { return negated_[negation - own_]; }
    // Whether one of the two is the negation of the other.
    bool contradict(std::uint32_t a, std::uint32_t b) const {
        return (is_negation(a) && negated(a) == b) || (is_negation(b) && negated(b) == a);
    }

    // Puts the values of negations behind those of the atoms, which may be initial ones: theirs are given.
    void append_negations(std::vector<float>& to, const std::vector<float>& values, double (*negation)(double)) const;

private:
    ReasoningGraph graph_;
    std::uint32_t own_;                   // the first negation
    std::vector<std::uint32_t> negated_;  // per negation
};

}  // namespace neumann
