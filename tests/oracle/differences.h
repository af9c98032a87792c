// Finite differences of the reference reasoner: what derivatives are compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reason/reference/reference.h"

namespace neumann::oracle {

// How far the kernels, in single precision, may be from the reference, as docs/semantics.md has it.
constexpr double most_in_values = 4e-7;
constexpr double most_in_gradients = 2e-5;  // relative to 1 + |g|

// The loss Σ seeds·values as a function of weights and inputs: the one without clamping, less what clamping took off at
// the point, whose derivative backward passes compute.
class Differences {
public:
    // Borrows the reasoner. Steps are a small part of γ, on the scale of which values bend.
    Differences(const ReferenceReasoner& reasoner, double gamma, std::vector<double> weights,
                std::vector<double> initial, std::vector<double> seeds);

    ReferenceGradients gradients() const { return reasoner_.backward(run_, weights_, initial_, seeds_); }

    // What is wrong with gradients, up to a tolerance; empty if nothing is. Where the two one-sided differences do not
    // agree there is no derivative, and anything is right; so it is on kinks that hide each other (min(1, x + (1 −
    // x))), which show where the gradient jumps between neighbours of the point.
    std::string wrong(const ReferenceGradients& gradients, double tolerance);

    std::size_t checked() const { return checked_; }
    std::size_t kinks() const { return kinks_; }

private:
    double loss() const;
    std::string check(double& place, double derivative, double tolerance);
    ReferenceGradients near(std::uint64_t seed) const;
    bool jumps(std::vector<double> ReferenceGradients::*part, std::size_t at, double tolerance);

    const ReferenceReasoner& reasoner_;
    double step_;
    std::vector<double> weights_;
    std::vector<double> initial_;
    std::vector<double> seeds_;
    ReferenceRun run_;
    double middle_;
    std::size_t checked_ = 0;
    std::size_t kinks_ = 0;
    std::vector<ReferenceGradients> neighbours_;  // made when first needed
};

}  // namespace neumann::oracle
