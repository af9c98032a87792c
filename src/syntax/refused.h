// What Prolog has and this language does not have yet: refused by name, with what to write instead.
#pragma once

#include <string_view>

#include "base/diagnostics.h"

namespace neumann::syntax {

void report_refused(std::string_view spelling, Span span, Diagnostics& diagnostics);

}  // namespace neumann::syntax
