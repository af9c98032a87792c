// Special goals that no task declares: two variables are the same or different, or a goal fails.
#pragma once

#include "learn/evaluate/relational_task.h"

namespace neumann::search {

// Equality of two arguments of the head, which is common in base clauses of recursive programs.
void add_equality(Task& task);

// Adds all of them to the predicates and relations of the task, for all its types and for every predicate that can be
// asked with all arguments known. The task must stay where it is.
void add_special_goals(Task& task);

}  // namespace neumann::search
