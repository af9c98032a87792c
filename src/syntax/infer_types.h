// Type inference: adds to a program's vocabulary the names that its text uses without declaring them. Places that share
// a variable are of one type; a constant does not determine the type of its places, for the same word may have several
// types.
#pragma once

#include "logic/program.h"
#include "syntax/type_uses.h"

namespace neumann::syntax {

// Runs after the declared types, functors and predicates, before bounds and name resolution. Names that look like a
// misspelt declared name, and predicates without definition, are left alone: name resolution reports them.
void infer_types(TypeUses& uses, Program& program);

}  // namespace neumann::syntax
