// Derivation of an atom, in the numbers of the graph.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "proofs/derivations.h"
#include "proofs/positive_graph.h"

namespace neumann {

struct ProofStep {
    std::uint32_t atom = 0;
    std::uint32_t conjunction = Derivations::given;
    double value = 0;  // of this derivation of the atom
    // Steps, in the order of the conjunction's body; of a negation the proof of the negated atom, if there is one.
    std::vector<std::uint32_t> premises;

    friend bool operator==(const ProofStep&, const ProofStep&) = default;
};

// Step 0 is the proved atom. Equal derivations are one step, so written out it is a tree, and kept it is a graph
// without cycles. Steps stand in the order in which a reader meets them, from above, first premises first.
struct Proof {
    std::vector<ProofStep> steps;

    bool empty() const { return steps.empty(); }
    double value() const { return steps.empty() ? 0 : steps.front().value; }
    friend bool operator==(const Proof&, const Proof&) = default;
};

// The best derivation of the task's root; empty if there is none.
Proof best_proof(const Derivations& derivations);

// A derivation from the choices made at each of its atoms from above, first premises first: a conjunction, or `given`.
Proof proof_of_choices(const Derivations& derivations, const std::vector<std::uint32_t>& choices);

// Adds a proof of the negated atom under every negation that has one: `proof_of` returns it, or an empty one.
void add_counter_proofs(Proof& proof, const PositiveGraph& positive,
                        const std::function<Proof(std::uint32_t atom)>& proof_of);

// The values of all steps anew, from these initial values of atoms.
void revalue(Proof& proof, const ReasoningGraph& graph, TNorm norm, std::span<const double> weights,
             std::span<const float> initial);

}  // namespace neumann
