// Clauses of the search as clauses of the program, for people to read.
#pragma once

#include <string>
#include <vector>

#include "learn/bias/world_task.h"
#include "learn/clauses/refine.h"

namespace neumann {

struct WrittenClause {
    std::string text;     // "busy(X) :- edge(X,N1)."
    std::string program;  // the same as programs have it: variables that occur once are _
    double size = 0;      // as gradients' candidates have it, and one for the head
};

// The search's types are those of the program, from 1 on.
TypeId type_of(std::uint16_t type);

// Terms stand in the places of the variables that the search has for them.
WrittenClause write_clause(const WorldTask& task, const search::Clause& clause, PredicateId target,
                           const std::vector<Mode>& modes, const Worlds& worlds);

}  // namespace neumann
