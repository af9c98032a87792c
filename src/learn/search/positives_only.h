// Learning from positive labels only: unlabelled atoms count as false, or only if they contradict a label.
#pragma once

#include <string>
#include <vector>

#include "learn/evaluate/relational_task.h"
#include "learn/search/program_search.h"

namespace neumann::search {

// All unlabelled tuples of constants of the head's types. Constants of a type are those that occur in tables
// and labels. Of more than `most`, so many are drawn, the same ones every time.
std::vector<std::vector<Value>> unlabelled_tuples(const Task& task, std::size_t most);

// The reversed pairs of labels of one type, and each constant with itself: empty if a label has such a pair.
std::vector<std::vector<Value>> reversed_labels(const Task& task);

// As search_programs(). If there are no negatives, `assumed` names the atoms assumed to be false: everything without a
// label, if there is a program that is right about all of it; else only the pairs that a symmetric relation would have,
// and then goals must connect the head's variables, as no label excludes all pairs of constants in labels.
SearchResult search_labels(Task& task, const Limits& limits, const Improved& improved, std::string& assumed);

}  // namespace neumann::search
