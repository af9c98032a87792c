// Predicates of Prolog's and ProbLog's libraries that are rules themselves.
#pragma once

#include "resolution/rules.h"

namespace neumann::resolution {

// Adds the rules of those library predicates that the program does not define itself.
void add_library(Rules& rules);

}  // namespace neumann::resolution
