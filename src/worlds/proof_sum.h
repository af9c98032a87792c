// Probability that at least one of a few proofs holds, and its derivatives: each proof counts where none of those
// before it holds, P(p₁ ∨ … ∨ pₙ) = Σᵢ P(pᵢ)·(1 − P(p₁ ∨ … ∨ pᵢ₋₁ | pᵢ)). Under pᵢ the others lose what they share
// with it, and those that contradict it are gone: proofs that exclude each other cost nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "worlds/proof_codes.h"

namespace neumann {

class ProofSum {
public:
    using Proof = std::vector<std::uint32_t>;  // codes, ascending

    // Gives up after so many proofs under a condition. Borrows its arguments.
    ProofSum(const ProofCodes& codes, std::span<const double> chance, std::uint64_t most_steps)
        : codes_(codes), chance_(chance), most_steps_(most_steps) {}

    std::optional<double> probability(std::span<const Proof> proofs);
    // Adds the derivatives by the chance of each code, as if they were free. The probability must have been found.
    void add_derivatives(std::span<const Proof> proofs, double factor, std::span<double> by_code);

private:
    double of_proof(const Proof& proof) const;
    double of_union(std::span<const Proof> proofs);
    std::vector<Proof> under(std::span<const Proof> proofs, const Proof& condition);

    const ProofCodes& codes_;
    std::span<const double> chance_;
    std::uint64_t most_steps_;
    std::uint64_t steps_ = 0;
};

}  // namespace neumann
