// Checks for undefined goals and unsupported features of Prolog.
#pragma once

#include "base/diagnostics.h"
#include "resolution/rules.h"

namespace neumann::resolution {

void check_goals(const Rules& rules, Diagnostics& diagnostics);

}  // namespace neumann::resolution
