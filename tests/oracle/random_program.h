// Random legal programs in the single-file language.
#pragma once

#include "base/rng.h"
#include "oracle/program_text.h"

namespace neumann::oracle {

// One to four types, functors and lists with small bounds, neural and distinct predicates, facts within and beyond the
// bounds, recursive and repetitive clauses, constraints, queries. No atom is a fact twice, so that the order of facts
// is of no consequence.
ProgramText random_program(Rng& rng);

// Such a program with goals negated here and there, and negated ones added; stratified, and safe.
ProgramText random_stratified_program(Rng& rng);

}  // namespace neumann::oracle
