// Declarations: directives become the signature and the learning declarations.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "logic/program.h"
#include "syntax/ast.h"
#include "syntax/lexer.h"

namespace neumann::syntax {

struct Directive {
    Ast ast;
    Item item;
    TextStore texts;
};

// First everything that makes up the vocabulary (in an order of its own, so that declarations may follow their use) …
void declare_vocabulary(const std::vector<Directive>& directives, Program& program, Diagnostics& diagnostics);
// … then, when all types and predicates are known, their bounds …
void declare_bounds(const std::vector<Directive>& directives, Program& program, Diagnostics& diagnostics);
// … then the directives that refer to it: queries, modes, learning, sentence templates.
void declare_tasks(const std::vector<Directive>& directives, Program& program, Diagnostics& diagnostics);

}  // namespace neumann::syntax
