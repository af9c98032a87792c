// Names that are not there: what may have been meant, or how to declare them.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/diagnostics.h"
#include "logic/program.h"

namespace neumann::syntax {

// Whether the nearest of so many names is looked for: where so much is wrong, or so many are known, nobody waits for
// it.
inline bool is_worth_comparing(const Diagnostics& reported, std::size_t known) {
    return reported.size() < 100 && known <= 10'000;
}

// What to say of a predicate that is not there: another arity, a near name, or how to declare it.
// One report for each name and arity, however often it is used.
void report_unknown_predicate(Program& program, std::string_view name, std::size_t arity, Span span,
                              Diagnostics& diagnostics);
void report_unknown_type(const Signature& signature, std::string_view name, Span span, Diagnostics& diagnostics);

}  // namespace neumann::syntax
