// Cross-validation of scores: the accuracy on labels that were left out, with programs learned from the others.
#pragma once

#include <vector>

#include "learn/evaluate/relational_task.h"

namespace neumann::search {

struct ValidatedScore {
    ScoreKind score;
    double accuracy = 0;  // over all labels, each left out once
};

// Of every score, in their order. Label i is in part i modulo `parts`. Searches keep to declared goals, and share half
// of the work.
std::vector<ValidatedScore> cross_validate(const Task& task, const Limits& limits, std::size_t parts);

}  // namespace neumann::search
