// Expansion of a rule's text, as grounders do first: constants and sums of numbers are replaced by their values, and
// pools become several rules.
#pragma once

#include <vector>

#include "base/diagnostics.h"
#include "interchange/asp_tree.h"

namespace neumann::interchange {

// The rules that each rule stands for, without pools. Reports numbers that are too large and rules that are too many.
std::vector<AspRule> expanded(const AspProgram& program, Diagnostics& diagnostics);

// An atom with its constants replaced, as in a rule.
AspTerm with_constants(const AspProgram& program, AspTerm atom, Diagnostics& diagnostics);

}  // namespace neumann::interchange
