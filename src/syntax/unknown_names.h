// Unknown names: suggestions of a similar name or of a declaration.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/diagnostics.h"
#include "logic/program.h"

namespace neumann::syntax {

// Whether to search for the nearest of so many names: with many errors or many known names the search would take too
// long.
inline bool is_worth_comparing(const Diagnostics& reported, std::size_t known) {
    return reported.size() < 100 && known <= 10'000;
}

// Reports an unknown predicate with advice: another arity, a near name, or its declaration.
// One report for each name and arity, however often it is used.
void report_unknown_predicate(Program& program, std::string_view name, std::size_t arity, Span span,
                              Diagnostics& diagnostics);
void report_unknown_type(const Signature& signature, std::string_view name, Span span, Diagnostics& diagnostics);

}  // namespace neumann::syntax
