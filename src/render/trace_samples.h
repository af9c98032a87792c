// Sobol point sets for the path tracer: evenly spread over the unit square, each scrambled and shuffled independently.
#pragma once

#include <cstdint>
#include <vector>

namespace neumann::trace {

// `sets` sets of `samples` points: all first coordinates of a set, then all second ones, as 32-bit fractions. Sobol's
// first two dimensions with Owen's scrambling: the first 2^k points of a set have one point in every box of area 2^−k.
std::vector<std::uint32_t> scrambled_points(unsigned samples, unsigned sets);

}  // namespace neumann::trace
