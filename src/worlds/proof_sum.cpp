#include "worlds/proof_sum.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace neumann {

double ProofSum::of_proof(const Proof& proof) const {
    double product = 1;
    for (const std::uint32_t code : proof) product *= chance_[code];
    return product;
}

// Contradictory ones left out. If one of them always holds, it alone.
std::vector<ProofSum::Proof> ProofSum::under(std::span<const Proof> proofs, const Proof& condition) {
    std::vector<Proof> result;
    for (const Proof& proof : proofs) {
        ++steps_;
        Proof rest;
        bool possible = true;
        auto known = condition.begin();
        for (const std::uint32_t code : proof) {
            const std::uint32_t choice = codes_.choice(code);
            while (known != condition.end() && codes_.choice(*known) < choice) ++known;
            if (known == condition.end() || codes_.choice(*known) != choice) {
                rest.push_back(code);
            } else if (*known != code) {
                possible = false;
                break;
            }
        }
        if (!possible) continue;
        if (rest.empty()) return {Proof()};
        result.push_back(std::move(rest));
    }
    return result;
}

double ProofSum::of_union(std::span<const Proof> proofs) {
    double sum = 0;
    for (std::size_t i = 0; i < proofs.size() && steps_ <= most_steps_; ++i)
        sum += of_proof(proofs[i]) * (1 - of_union(under(proofs.first(i), proofs[i])));
    return sum;
}

std::optional<double> ProofSum::probability(std::span<const Proof> proofs) {
    steps_ = 0;
    const double sum = of_union(proofs);
    if (steps_ > most_steps_) return std::nullopt;
    return std::clamp(sum, 0.0, 1.0);
}

void ProofSum::add_derivatives(std::span<const Proof> proofs, double factor, std::span<double> by_code) {
    steps_ = 0;
    for (std::size_t i = 0; i < proofs.size(); ++i) {
        const std::vector<Proof> before = under(proofs.first(i), proofs[i]);
        const double rest = 1 - of_union(before);
        // Products of all others, so that a chance of 0 is no division by it.
        double left = factor * rest;
        std::vector<double> right(proofs[i].size() + 1, 1.0);
        for (std::size_t j = proofs[i].size(); j-- > 0;) right[j] = right[j + 1] * chance_[proofs[i][j]];
        for (std::size_t j = 0; j < proofs[i].size(); ++j) {
            by_code[proofs[i][j]] += left * right[j + 1];
            left *= chance_[proofs[i][j]];
        }
        if (!before.empty() && !before[0].empty()) add_derivatives(before, -factor * right[0], by_code);
    }
}

}  // namespace neumann
