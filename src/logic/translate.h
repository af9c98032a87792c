// Clause translation: a clause of one program in the vocabulary of another, matched by name.
#pragma once

#include <optional>

#include "logic/program.h"

namespace neumann {

// Constants and predicates that `to` lacks are added to it. Nothing if `to` lacks a type, a functor, or has a predicate
// of the same name with other types.
std::optional<Clause> translated(const Program& from, const Clause& clause, Program& to);

}  // namespace neumann
