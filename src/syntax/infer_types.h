// Type inference: adds to a program's vocabulary what its text uses without declaring it. Places that share a variable
// are of one type; a constant says nothing of the places it stands in, for the same word may be of several types.
#pragma once

#include "logic/program.h"
#include "syntax/type_uses.h"

namespace neumann::syntax {

// After the declared types, functors and predicates, before bounds and anything that is resolved. What looks like a
// misspelt declared name, and a predicate that nothing defines, is left alone: resolving it reports that.
void infer_types(TypeUses& uses, Program& program);

}  // namespace neumann::syntax
