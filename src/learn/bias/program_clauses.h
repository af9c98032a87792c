// Conversion of clauses of the search to clauses of the program.
#pragma once

#include <vector>

#include "learn/bias/search_task.h"
#include "logic/program.h"

namespace neumann {

// Readable: terms stand in the places of the variables that the search has for them, goals in the order of the modes.
// New terms are added to the program, and a predicate with a name of its own for each that the search invented.
std::vector<Clause> program_clauses(Program& program, const SearchTask& task,
                                    const std::vector<search::Clause>& clauses, PredicateId target);

// Size as candidates of the gradient search have it, and one for the head.
double size_of(const TermTable& terms, const Clause& clause);

}  // namespace neumann
