// Probabilities of decision diagrams, and their derivatives, for given probabilities of the choices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "worlds/decision_diagrams.h"
#include "worlds/random_choices.h"

namespace neumann {

// Per place of an order: the probabilities of the ways of the choice there.
using WayProbabilities = std::vector<std::vector<double>>;
WayProbabilities way_probabilities(const RandomChoices& choices, std::span<const std::uint32_t> order,
                                   const Chances& chances);

// How many ways each choice of an order has.
std::vector<std::uint32_t> ways_in_order(const RandomChoices& choices, std::span<const std::uint32_t> order);

// The probabilities of functions of a manager that grows. Earlier results are kept.
class DiagramWeights {
public:
    DiagramWeights(const DecisionDiagrams& diagrams, const WayProbabilities& ways) : diagrams_(diagrams), ways_(ways) {}

    double operator()(DecisionDiagrams::Node node);
    // Adds `factor` times the derivative by the probability of each way, as if they were free.
    void add_derivatives(DecisionDiagrams::Node node, double factor, WayProbabilities& by_way);
    // After the manager has renumbered its nodes.
    void forget() { known_.clear(); }

private:
    const DecisionDiagrams& diagrams_;
    const WayProbabilities& ways_;
    std::vector<double> known_;  // per node
};

}  // namespace neumann
