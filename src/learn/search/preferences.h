// Preferences among programs that are right on the same labels, and goals that no label needs.
#pragma once

#include "learn/evaluate/relational_task.h"
#include "learn/search/pool.h"

namespace neumann::search {

// The place of each clause goes to the one with the same labels and literals that connects the head's variables with
// each other, then to the one with the fewest goals that name a single constant, then to the one that was found first.
// The other programs become the result's `equals`.
void prefer_general(SearchResult& found, const Pool& pool, const Task& task);

// Clauses, then goals, that a right program without invented predicates is right without are left out.
void leave_out_idle_parts(SearchResult& found, Task& task);

}  // namespace neumann::search
