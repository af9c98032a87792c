// Every gradient that a backward pass finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reason/reasoner.h"

namespace neumann {

class AllGradients {
public:
    AllGradients() = default;
    AllGradients(const GraphReasoner& reasoner, const Pass& pass, const InputBatch& seeds)
        : examples_(pass.examples()), atoms_(reasoner.graph().atom_count()), clauses_(reasoner.graph().clause_count()),
          by_atom_(examples_ * atoms_), by_clause_(examples_ * clauses_), sums_(clauses_) {
        const GradientSums sums{.by_clause = sums_};
        reasoner.backward(pass, seeds, {.by_atom = by_atom_, .by_clause = by_clause_, .sums = {&sums, 1}});
    }

    float input(std::uint32_t atom, std::size_t example) const { return by_atom_[example * atoms_ + atom]; }
    float weight(std::uint32_t clause, std::size_t example) const { return by_clause_[example * clauses_ + clause]; }
    double weight_sum(std::uint32_t clause) const { return sums_[clause]; }

private:
    std::size_t examples_ = 0;
    std::size_t atoms_ = 0;
    std::size_t clauses_ = 0;
    std::vector<float> by_atom_;
    std::vector<float> by_clause_;
    std::vector<double> sums_;
};

}  // namespace neumann
