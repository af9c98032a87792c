// The reasoners of publications, each as its equations, written onto a tape for a reasoning graph. Atoms that an
// example gives are inputs of the tape; what is asked are its results.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/tape.h"
#include "graph/graph.h"

namespace neumann {

enum class PublishedReasoner : std::uint8_t {
    // v ← softor(v, ∏x) per conjunction, x ← softor(x, softor θ·v) per atom; every softor ends at 1.
    Neumann,
    // x ← softor₀(x⁰, θ·∏x): what is 0 stays 0.
    NeumannFromZero,
    // As Neumann, but what is more than 1 divides all numbers of the batch by the largest; messages with γ = 0.015
    // and 1e-4 beside their sum; and ⊤ → ⊤ with the weight of the first clause.
    NeumannCode,
    // C_k ← softor ∏x per clause, padded with falsehoods to the most instances that there are; per slot Σ θ·C, softor
    // over slots, softor with the value before. Every softor is divided by its largest number, if that is more than 1.
    AlphaIlp,
    // The same with γ = 1e-5, without falsehoods, and divided once in the end.
    DilpSt,
    // F_k ← max ∏x per clause; Σ θ·max(F_i, F_j) over pairs of clauses; x ← x + b − x·b.
    Dilp,
};

struct ReasonerTask {
    PublishedReasoner reasoner = PublishedReasoner::Neumann;
    double gamma = 0.01;
    std::uint32_t steps = 5;
    std::uint32_t background = 0;  // clauses before the candidates
    std::uint32_t slots = 1;       // AlphaIlp, DilpSt
    // Dilp: which two candidates each parameter is the weight of.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs = {};

    // How many weights there are to learn. Parameters of the tape: these, then the weights of the background's clauses.
    std::size_t learned_weights(std::size_t candidates) const;
};

struct WrittenReasoner {
    static constexpr Tape::Row no_row = 0xffffffffU;
    Tape tape;
    std::vector<Tape::Row> input;   // per atom; no_row: it is not given, or makes no difference
    std::vector<Tape::Row> result;  // per atom; no_row: it makes no difference to what is asked
};

WrittenReasoner write_reasoner(const ReasoningGraph& graph, const ReasonerTask& task, const std::vector<bool>& is_input,
                               const std::vector<bool>& asked);

}  // namespace neumann
