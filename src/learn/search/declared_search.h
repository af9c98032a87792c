// Exhaustive search on relations and a bias that the files of a task declare.
#pragma once

#include "learn/algorithm/run_progress.h"
#include "learn/evaluate/work.h"
#include "learn/readers/loaded_task.h"

namespace neumann {

search::SearchResult search_declared_task(DeclaredSearch& declared, const search::Limits& limits, RunProgress& progress,
                                          std::vector<std::string>& notes);

}  // namespace neumann
