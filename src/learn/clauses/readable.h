// Readable form of clauses of the search: names of variables, order of the body.
#pragma once

#include "learn/clauses/modes.h"
#include "logic/program.h"

namespace neumann {

// X, Y, Z, … for variables of the head; the initial of the type and a number for the others (O1, O2 for objects), in
// the order in which they occur.
void name_variables(const Signature& signature, const TermTable& terms, Clause& clause);

// Atoms that introduce variables first, after those that their '+' places depend on; the others by the declaration of
// their predicates. Where atoms can change places, so that the variables with small numbers are mentioned first.
// Variables are numbered in the order in which they occur, and named accordingly.
Clause make_readable(const Signature& signature, TermTable& terms, const ModeChecker& checker, const Clause& clause);

// Variables that occur once become anonymous, _.
void hide_singles(const TermTable& terms, Clause& clause);

}  // namespace neumann
