// Reader of the rules of ProbLog and Prolog: terms by the priorities of Prolog's operators.
#pragma once

#include <cstdint>

#include "base/diagnostics.h"
#include "resolution/rules.h"

namespace neumann::resolution {

// Adds the rules of a text and of the files that it consults. Reports unsupported features, such as the cut in ProbLog,
// by name and position.
void read_rules(SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics,
                RuleLanguage language = RuleLanguage::ProbLog);

// A goal that fills the whole text, as a rule `query(goal).`
void read_asked(SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics);

}  // namespace neumann::resolution
