// Unsupported features of Prolog: error messages by name, with a replacement in this language.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/diagnostics.h"

namespace neumann::syntax {

void report_refused(std::string_view spelling, Span span, Diagnostics& diagnostics);

// Prolog's directives, such as :- dynamic p/1. False: it is none of them.
bool report_refused_directive(std::string_view name, Span span, Diagnostics& diagnostics);

// Advice for a built-in predicate of Prolog that is not supported; empty: it is none.
std::string_view advice_without(std::string_view predicate, std::size_t arity);

}  // namespace neumann::syntax
