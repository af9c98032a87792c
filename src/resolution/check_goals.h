// Checks for undefined goals and unsupported features of Prolog.
#pragma once

#include <vector>

#include "base/diagnostics.h"
#include "resolution/rules.h"

namespace neumann::resolution {

// The goals within a body, with those inside meta-predicates such as findall; the cut is none.
void add_goals(const Terms& terms, Term body, std::vector<Term>& goals);

void check_goals(const Rules& rules, Diagnostics& diagnostics);

}  // namespace neumann::resolution
