// Collections whose lists are taken by one goal alone, findall(X, G, L), sum_list(L, S): they become a fold over the
// answers, which has as many cases as there are sums, not as there are sets of answers.
#pragma once

#include "resolution/rules.h"

namespace neumann::resolution {

// Rewrites the bodies of rules; predicates that the program defines itself are left as they are.
void fold_collections(Rules& rules);

}  // namespace neumann::resolution
