// Shortest right program by brute force: all clauses of a small language bias, then all sets of them by their size.
#pragma once

#include <cstddef>
#include <optional>

#include "oracle/small_program.h"

namespace neumann::search_oracle {

// All clauses of the bias up to the names of variables, shorter ones first. Nothing: there are too many.
std::optional<std::vector<SmallRule>> all_clauses(const SmallTask& task, std::size_t most_goals);

struct Shortest {
    bool decided = false;                 // otherwise there was too much to try
    std::optional<SmallProgram> program;  // of the least size among those that are right; none is that short
    std::size_t clauses = 0;              // of the bias
};

// Among programs of at most so many literals, heads included. The task has at most 64 atoms of the target.
Shortest shortest_program(const SmallTask& task, std::size_t most_literals);

}  // namespace neumann::search_oracle
