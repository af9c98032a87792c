// Weighted model counts of CNF: exhaustive search, then the value of its circuit. Sums and products have the precision
// of a double and any exponent; counts without weights are whole numbers.
#pragma once

#include <string>

#include "worlds/diagram_compiler.h"
#include "worlds/scaled_number.h"
#include "worlds/weighted_cnf.h"

namespace neumann {

struct ModelCountResult {
    ScaledNumber count;
    std::string digits;     // of a count without weights, exactly; empty: it has weights, or too many digits
    std::size_t nodes = 0;  // of the circuit
};

// Throws DiagramLimit, and any exception that limits.watch() throws.
ModelCountResult count_cnf(const WeightedCnf& cnf, const CompileLimits& limits);

}  // namespace neumann
