// Clauses in the journal: as text, with the predicates that they introduce.
#pragma once

#include <string>
#include <vector>

#include "logic/program.h"

namespace neumann {

std::vector<std::string> written_clauses(const std::vector<Clause>& clauses, const Program& program);
// The predicates of heads other than the target's: the name, then the types of the arguments.
std::vector<std::vector<std::string>> written_inventions(const std::vector<Clause>& clauses, PredicateId target,
                                                         const Program& program);

// The way back. Adds the invented predicates and new terms to the program.
std::vector<Clause> read_clauses(const std::vector<std::string>& clauses,
                                 const std::vector<std::vector<std::string>>& invented, Program& program);

}  // namespace neumann
