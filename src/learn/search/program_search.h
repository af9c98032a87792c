// Program search: clauses of a predicate from labelled atoms. Everything small is tried, and the best program so far is
// available at any time.
#pragma once

#include <functional>

#include "learn/evaluate/relational_task.h"

namespace neumann::search {

using Improved = std::function<void(const SearchResult&)>;

// `improved` is called with each better program. A right program is better than a wrong one, a shorter one than a
// longer one; among wrong ones it is the description length that counts: literals and wrong labels.
SearchResult search_programs(Task& task, const Limits& limits, const Improved& improved = {});

}  // namespace neumann::search
