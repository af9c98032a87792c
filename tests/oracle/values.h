// Values of ground programs in double precision, by the formulas of the design: independent of any graph layout.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/brute_force.h"

namespace neumann::oracle {

enum class Or {
    Soft,  // softor₀(x) = γ·log(1 + Σ (exp(x_i/γ) − 1)), at most 1; γ = 0.01
    Max,
};

struct Setting {
    std::vector<double> initial;  // per atom
    std::vector<double> weights;  // per clause
};

// x_a ← or(x_a⁰, {θ·∏ body·∏ (1 − negated)}) for so many steps, or fewer if nothing changes any more; stratum by
// stratum, so that what is negated has its value.
std::vector<double> evaluate(const std::vector<Instance>& instances, const Setting& setting, Or how, std::size_t steps);

// Per atom: the largest number of negations on a way down from it. Throws std::logic_error on a cycle through one.
std::vector<std::size_t> strata(const std::vector<Instance>& instances, std::size_t atoms);

// A step count after which acyclic programs, and under Max all programs, no longer change: a best derivation passes no
// atom twice, since weights are at most 1.
inline std::size_t enough_steps(const BruteForce& brute) { return brute.atoms.size() + 2; }

bool is_acyclic(const BruteForce& brute);

// Random values for neural atoms; with `new_weights`, also for the weights that may be changed.
Setting random_setting(const BruteForce& brute, std::uint64_t seed, bool new_weights);

}  // namespace neumann::oracle
