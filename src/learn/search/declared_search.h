// Exhaustive search on relations and a bias that the files of a task declare.
#pragma once

#include "learn/algorithm/algorithm.h"

namespace neumann {

struct DeclaredOutcome {
    search::SearchResult found;
    bool stopped = false;  // by the caller
};

DeclaredOutcome search_declared_task(DeclaredSearch& declared, LessonContext& context);

}  // namespace neumann
