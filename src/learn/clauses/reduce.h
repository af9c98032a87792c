// θ-subsumption between clauses, and the smallest clause that is equivalent to a given one.
#pragma once

#include "logic/program.h"

namespace neumann {

// Whether a substitution of the general clause's variables makes its head the specific head and puts its body into the
// specific body. The clauses have no constraints.
bool subsumes(const TermTable& terms, const Clause& general, const Clause& specific);

// The clause without redundant body atoms: as long as a substitution that leaves head variables alone maps the body
// into the body without one of its atoms, that atom is dropped. The result is equivalent under
// θ-subsumption, and unique up to the names of variables; it is returned in its canonical form (see canonical_clause).
// Throws std::invalid_argument if the clause has constraints other than equations that can be solved.
Clause reduce(TermTable& terms, const Clause& clause);

}  // namespace neumann
