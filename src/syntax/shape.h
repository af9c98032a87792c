// Goals, terms and expressions: what operators and words such as not, between or min mean depends on where they stand.
// The parser builds one kind of tree for all of them; here each place says what it takes.
#pragma once

#include "base/diagnostics.h"
#include "syntax/ast.h"

namespace neumann::syntax {

struct SyntaxError {};  // reported already; unwinds to the next item

// Each changes the nodes in place into what the place takes, or reports what stands there and throws SyntaxError.
void make_goal(Ast& ast, NodeIndex index, Diagnostics& diagnostics);        // Name, Compare, Not, And, Or, Aggregate
void make_term(Ast& ast, NodeIndex index, Diagnostics& diagnostics);        // Variable, Name, List
void make_expression(Ast& ast, NodeIndex index, Diagnostics& diagnostics);  // Variable, Name, Operation

}  // namespace neumann::syntax
