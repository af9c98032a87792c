// Labels by resolution: the labelled atoms that follow from a Prolog background and learned clauses.
#pragma once

#include <string>
#include <vector>

#include "learn/readers/background.h"

namespace neumann::search {

// 1 for each tuple of arguments of `head` that follows, else 0; also 0 where that takes too many steps.
std::vector<float> resolved_values(const Background& background, const std::string& clauses, const Predicate& head,
                                   const std::vector<std::vector<Value>>& tuples);

}  // namespace neumann::search
