// Most probable proofs of all atoms at once, merged along the graph: a proof of a conjunction joins one of each
// literal, an atom keeps the best of all its conjunctions. Atoms of a cycle are computed until nothing changes: a proof
// that goes round contains a shorter one, and is dropped.
//
// A proof that loses below may be part of the best one above where proofs share choices, so what is found is nearly the
// best. If nothing was dropped, it is all there is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "graph/levels.h"
#include "worlds/proof_codes.h"
#include "worlds/random_choices.h"

namespace neumann {

// The parts of a graph that are the same for all examples.
struct MergePlan {
    MergePlan(const ReasoningGraph& graph, const GraphLevels& levels, const RandomChoices& random,
              const ProofCodes& codes);

    struct Component {
        std::uint32_t begin;  // of its atoms
        std::uint32_t end;
        bool cyclic;
    };
    std::vector<std::uint32_t> atoms;  // by component, in the order of dependence
    std::vector<Component> components;
    std::vector<OptionalIndex> fact;     // per atom: the code of its fact
    std::vector<std::uint64_t> choices;  // per atom: those it depends on, one bit for many
    std::vector<OptionalIndex> outcome;  // per conjunction: its code
    std::vector<std::uint8_t>
        is_disjoint;  // per conjunction: no literal is negated, and no two of its parts share a choice
    bool all_disjoint = true;
};

class MergedProofs {
public:
    struct Proof {
        double probability;
        std::uint64_t choices;  // one bit for many: those of disjoint bits are disjoint
        std::uint64_t bits;     // of codes, likewise: a part has no others
        std::uint32_t begin;    // of its codes
        std::uint32_t length;
    };
    struct Found {
        std::vector<Proof> proofs;  // the most probable first
        bool all = false;           // there are no others, but for those of probability 0
    };

    // At most `width` proofs are kept of an atom. `chance` is that of each code. Borrows its arguments.
    MergedProofs(const ReasoningGraph& graph, const MergePlan& plan, const ProofCodes& codes, std::size_t width,
                 std::uint64_t most_looks);

    // False: more looks were needed than allowed, and nothing is known.
    bool run(std::span<const double> chance, const Chances& chances);
    Found find(std::span<const GraphLiteral> goals);
    std::span<const std::uint32_t> codes(const Proof& proof) const {
        return std::span(arena_).subspan(proof.begin, proof.length);
    }

private:
    struct List {
        std::uint32_t begin = 0;
        std::uint32_t size = 0;
        bool all = true;
    };
    std::span<const Proof> proofs(std::uint32_t atom) const {
        return std::span(pool_).subspan(list_[atom].begin, list_[atom].size);
    }
    void go_round(std::span<const std::uint32_t> members);
    void derive(std::uint32_t atom);
    bool is_too_improbable(std::uint32_t conjunction) const;
    void derive(OptionalIndex outcome, std::span<const GraphLiteral> literals, bool disjoint);
    std::span<const Proof> proofs(GraphLiteral literal) const;
    void join(const Proof& left, std::span<const Proof> right, bool disjoint, std::vector<Proof>& to);
    bool offer(const Proof& proof, std::vector<Proof>& to);
    bool join_codes(const Proof& left, const Proof& right);
    bool is_part(const Proof& part, const Proof& of) const;
    void store(std::uint32_t atom);

    const ReasoningGraph& graph_;
    const MergePlan& plan_;
    const ProofCodes& codes_;
    std::size_t width_;
    std::uint64_t most_looks_;
    std::uint64_t looks_ = 0;

    std::span<const double> chance_;
    std::vector<std::uint32_t> arena_;  // codes of proofs
    std::vector<Proof> pool_;
    std::vector<List> list_;      // per atom
    std::vector<double> most_;    // … the probability of its best proof
    std::vector<Proof> single_;   // per code: the proof of it alone
    std::vector<Proof> best_;     // of the current atom
    bool all_ = true;             // … none was dropped
    std::vector<Proof> partial_;  // of the current conjunction
    std::vector<Proof> next_;
    std::vector<std::span<const Proof>> parts_;  // … of its literals
    std::vector<std::uint32_t> scratch_;
};

}  // namespace neumann
