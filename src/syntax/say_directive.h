// Directive for sentence templates of atoms: one template for each predicate, as '{X} is older than {Y}'.
#pragma once

#include "syntax/directive_reader.h"

namespace neumann::syntax {

void declare_saying(DirectiveReader& directive);

}  // namespace neumann::syntax
