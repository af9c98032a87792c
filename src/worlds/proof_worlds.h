// Worlds and proofs: how probable an atom is, how its probability changes with those of facts and clauses, and how it
// is divided among proofs, all by the decision diagrams of some atoms. With evidence all is conditional on it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "proofs/positive_graph.h"
#include "proofs/proof.h"
#include "worlds/diagram_compiler.h"
#include "worlds/random_choices.h"

namespace neumann {

class ProofWorlds {
public:
    // The diagrams of task.asked. Borrows the graph.
    ProofWorlds(const ReasoningGraph& graph, WorldsTask task, RandomChoices choices, CompiledWorlds worlds);

    // The probabilities of an example: all that follows is about it. Throws ReasonError if its evidence has probability
    // 0, or if probabilities that exclude each other are too large together.
    void weigh(const Chances& chances);

    bool has(std::uint32_t atom) const { return place_[atom].has_value(); }
    bool all_certain() const { return choices_.count() == 0; }
    double evidence() const { return evidence_; }
    bool has_evidence() const { return !task_.observed.empty(); }
    double value(std::uint32_t atom) const;

    // Derivative of an atom's value by the probability of every atom and clause of the graph, added to the arrays.
    void add_gradients(std::uint32_t atom, std::span<float> by_atom, std::span<float> by_clause) const;

    // Proofs, the largest part first: each with the probability that it holds, and that none before it does.
    struct Part {
        std::size_t proof = 0;  // which
        double alone = 0;       // its probability
        double part = 0;
    };
    struct Partition {
        std::vector<Part> parts;
        double rest = 0;  // none of them holds, and the atom does
    };
    // Of proofs without those under their negations; the negated atoms must be among the queries.
    Partition partition(std::uint32_t atom, std::span<const Proof> proofs, const PositiveGraph& positive);

private:
    using Node = DecisionDiagrams::Node;
    Node of_proof(const Proof& proof, const PositiveGraph& positive);
    Node of_outcome(RandomChoices::Outcome outcome);
    double probability(Node node) const;
    std::vector<double> probabilities_under(std::span<const Node> roots) const;
    void add_slopes(Node root, double factor, std::span<float> by_atom, std::span<float> by_clause) const;

    const ReasoningGraph& graph_;
    WorldsTask task_;
    RandomChoices choices_;
    CompiledWorlds worlds_;
    std::vector<OptionalIndex> place_;       // per atom: among those asked
    std::vector<std::uint32_t> at_;          // per choice: its place in the diagrams
    std::vector<std::vector<double>> ways_;  // per choice: the probabilities of its outcomes
    std::vector<double> joint_;              // per atom asked: with the evidence
    double evidence_ = 1;
};

}  // namespace neumann
