// Base sets: programs of several base clauses of one goal each and one short recursive clause, which pay only all
// together.
#pragma once

#include <vector>

#include "learn/evaluate/relational_task.h"

namespace neumann::search {

// Whether a program covers all positives and no negative; false also if that takes too many steps, or the
// work is over.
bool is_right(const std::vector<Clause>& program, Task& task);

// The shortest such program that is right; empty: there is none.
std::vector<Clause> recursion_over_bases(Task& task);

}  // namespace neumann::search
