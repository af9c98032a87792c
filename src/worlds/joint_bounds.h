// Bounds of conditional probabilities from bounds of functions: of queries together with the evidence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "reason/pass.h"
#include "worlds/bounded_functions.h"
#include "worlds/decision_diagrams.h"
#include "worlds/diagram_weights.h"
#include "worlds/random_choices.h"

namespace neumann {

struct JointBounds {
    BoundedFunctions of;
    struct Asked {  // with the evidence
        FunctionBounds holds;
        FunctionBounds fails;
    };
    std::vector<Asked> asked;  // of the task
    FunctionBounds observed;   // all evidence
};

// function[atom] is the place of its function.
JointBounds join_evidence(BoundedFunctions functions, const WorldsTask& task, std::span<const OptionalIndex> function);

// For one example's probabilities.
class ConditionalBounds {
public:
    // Borrows the functions.
    ConditionalBounds(const JointBounds& bounds, WayProbabilities ways)
        : bounds_(bounds), ways_(std::move(ways)), weights_(bounds.of.diagrams, ways_) {}
    ConditionalBounds(const ConditionalBounds&) = delete;
    ConditionalBounds& operator=(const ConditionalBounds&) = delete;

    const WayProbabilities& ways() const { return ways_; }

    // The upper bound of the negation of the atom with that function. A certain atom has 1; 0 if nothing is known.
    double chance_of_not(std::uint32_t function);
    // At most.
    double evidence() { return weights_(bounds_.observed.high); }
    void add_evidence_derivatives(double factor, WayProbabilities& by_way) {
        weights_.add_derivatives(bounds_.observed.high, factor, by_way);
    }

    // The bounds of an answer together with the evidence.
    struct Known {
        double proved;  // it has at least
        bool all;       // … and no more
        double most;    // it has at most
    };
    double value(const Known& known) { return std::min(known.proved / evidence(), 1.0); }
    // `tightest`: with all known bounds for the lower one, not only the proved part.
    ValueBounds bounds(std::size_t asked, const Known& known, bool tightest);

private:
    const JointBounds& bounds_;
    WayProbabilities ways_;
    DiagramWeights weights_;
};

}  // namespace neumann
