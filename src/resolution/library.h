// Library predicates of Prolog and ProbLog that are defined by rules.
#pragma once

#include "resolution/rules.h"

namespace neumann::resolution {

// Adds the rules of those library predicates that the program does not define itself.
void add_library(Rules& rules);
// And those that depth-first resolution alone can run.
void add_prolog_library(Rules& rules);

}  // namespace neumann::resolution
