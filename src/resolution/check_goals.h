// Goals that nothing defines, and what of Prolog is not there.
#pragma once

#include "base/diagnostics.h"
#include "resolution/rules.h"

namespace neumann::resolution {

void check_goals(const Rules& rules, Diagnostics& diagnostics);

}  // namespace neumann::resolution
