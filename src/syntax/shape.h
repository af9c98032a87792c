// Shape checks of goals, terms and expressions: operators and words such as not, between or min depend on their place.
// The parser builds one kind of tree for all of them; these functions check it for each place.
#pragma once

#include "base/diagnostics.h"
#include "syntax/ast.h"

namespace neumann::syntax {

struct SyntaxError {};  // reported already; unwinds to the next item

// Each changes the nodes in place into the form that the place requires, or reports an error and throws SyntaxError.
void make_goal(Ast& ast, NodeIndex index, Diagnostics& diagnostics);        // Name, Compare, Not, And, Or, Aggregate
void make_term(Ast& ast, NodeIndex index, Diagnostics& diagnostics);        // Variable, Name, List
void make_expression(Ast& ast, NodeIndex index, Diagnostics& diagnostics);  // Variable, Name, Operation

}  // namespace neumann::syntax
