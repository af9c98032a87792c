// What Prolog has and this language does not have: refused by name, with what to write instead.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/diagnostics.h"

namespace neumann::syntax {

void report_refused(std::string_view spelling, Span span, Diagnostics& diagnostics);

// Prolog's directives, such as :- dynamic p/1. False: it is none of them.
bool report_refused_directive(std::string_view name, Span span, Diagnostics& diagnostics);

// What to do without a built-in predicate of Prolog; empty: it is none.
std::string_view advice_without(std::string_view predicate, std::size_t arity);

}  // namespace neumann::syntax
