// Item orders: the instances of a predicate one after the other, group by group (Program::item_orders).
#pragma once

#include <vector>

#include "ground/numbers.h"
#include "ground/relation.h"
#include "logic/program.h"

namespace neumann {

// Fills the relations next, last and some of the order from that of its source, which must be complete. Throws
// EvaluationError if a group is ordered by a term that is not a number.
void fill_items(const ItemOrder& order, Program& program, NumberTable& numbers, std::vector<Relation>& relations);

}  // namespace neumann
