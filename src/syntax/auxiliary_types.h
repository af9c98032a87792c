// Types of auxiliary predicates (see syntax/lower.h): those of their variables, as far as the program declares them.
#pragma once

#include <vector>

#include "logic/program.h"
#include "syntax/ast.h"
#include "syntax/lower.h"

namespace neumann::syntax {

// Declares the auxiliary predicates of one clause that are not declared yet.
void declare_auxiliary(Program& program, const Ast& ast, const std::vector<FlatRule>& rules);

}  // namespace neumann::syntax
