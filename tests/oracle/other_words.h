// The same program in other words.
#pragma once

#include <cstddef>
#include <vector>

#include "base/rng.h"
#include "oracle/program_text.h"

namespace neumann::oracle {

// Clauses, facts, queries and goals in another order, other names for variables, goals that stand twice, lists spelled
// differently. `original` says which clause each clause comes from.
ProgramText in_other_words(const ProgramText& program, Rng& rng, std::vector<std::size_t>& original);

}  // namespace neumann::oracle
