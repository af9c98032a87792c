// Learning where all labels are positive: what is not labelled is taken to be false, or only what the labels speak
// against.
#pragma once

#include <string>
#include <vector>

#include "learn/evaluate/relational_task.h"
#include "learn/search/program_search.h"

namespace neumann::search {

// All tuples of constants of the head's types that are not labelled. Constants of a type are those that occur in tables
// and labels. Of more than `most`, so many are drawn, the same ones every time.
std::vector<std::vector<Value>> unlabelled_tuples(const Task& task, std::size_t most);

// Of labelled pairs of one type, the other way round, and each constant with itself: empty if a label says that this
// may be so.
std::vector<std::vector<Value>> reversed_labels(const Task& task);

// As search_programs(). Where there are no negatives, `assumed` says what was taken for false: everything that is not
// labelled, if there is a program that is right about all of it; else what only a relation that holds both ways would
// have, and then goals must connect the head's variables, as nothing else speaks against all pairs of what occurs in
// labels.
SearchResult search_labels(Task& task, const Limits& limits, const Improved& improved, std::string& assumed);

}  // namespace neumann::search
