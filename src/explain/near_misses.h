// Near misses for "why not" explanations: the derivations nearest to holding, and their failed inputs. Every input
// counts as at least a little true, so each derivation has a value however wrong its inputs are; the best of these need
// the smallest changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ground/compiled_program.h"
#include "proofs/derivations.h"
#include "proofs/proof.h"

namespace neumann {

struct NearMissOptions {
    std::size_t most = 3;
    // The value x counts as hope + (1 − hope)·x where perception may be wrong, and as at least absent_fact where the
    // program lacks a fact: the last thing to think of.
    double hope = 1e-3;
    double absent_fact = 1e-9;
    double failed_below = 0.5;
    double threshold = 0.5;            // an atom counts as true from this value upwards
    std::vector<PredicateId> trusted;  // never to blame
};

struct Miss {
    Proof proof;                          // with the values of the run, not the hoped ones
    std::vector<std::uint32_t> failures;  // atoms, the most to blame first; empty: the weights of its rules are low
};

class NearMisses {
public:
    // Borrows program, graph and schedule. Atoms have the numbers of the positive graph.
    NearMisses(const CompiledProgram& compiled, const PositiveGraph& positive, const Schedule& schedule,
               const NearMissOptions& options);

    // Near misses of an atom, the nearest first, none with a superset of an earlier one's failures. `norm` is the AND
    // of the semantics; nearness is measured by products under each.
    std::vector<Miss> find(std::uint32_t atom, std::span<const double> weights, std::span<const float> initial,
                           TNorm norm);

private:
    enum class Trust : std::uint8_t { Certain, Trusted, Perceived, Fact };
    // Whether the atoms are consistent for perception: an object is not red and blue, nor red and not red.
    bool fits(std::uint32_t atom, std::span<const std::uint32_t> used) const;
    std::vector<std::uint32_t> failures_of(const Proof& proof, std::span<const float> initial) const;

    void hope(std::uint32_t root, std::span<const double> weights, std::span<const float> initial, bool for_trusted);
    void search(bool consistent, std::span<const float> initial, std::vector<Miss>& misses) const;
    double nearness(const Proof& proof) const;

    const CompiledProgram& compiled_;
    const PositiveGraph& positive_;
    NearMissOptions options_;
    std::vector<Trust> trust_;  // per atom
    Derivations derivations_;
    // As costs: see hope().
    std::vector<float> hoped_;
    std::vector<double> hoped_weights_;
};

}  // namespace neumann
