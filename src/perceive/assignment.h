// Minimum-cost bipartite matching (Jonker–Volgenant).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace neumann {

// `costs` has `rows` × `columns` entries, row by row, rows ≤ columns; the result gives each row a column of its own
// such that the sum is least (shortest augmenting paths, cubic). Throws std::invalid_argument for costs that are not
// finite or do not fill the matrix, and for more rows than columns.
std::vector<std::size_t> least_assignment(std::span<const float> costs, std::size_t rows, std::size_t columns);

}  // namespace neumann
