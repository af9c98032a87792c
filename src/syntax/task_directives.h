// Directives for tasks of a program: queries, evidence, and learning of clauses from labels.
#pragma once

#include "syntax/directive_reader.h"

namespace neumann::syntax {

void declare_query(DirectiveReader& directive);
void declare_evidence(DirectiveReader& directive);
void declare_head_mode(DirectiveReader& directive);
void declare_body_mode(DirectiveReader& directive);
void declare_learn(DirectiveReader& directive);
void declare_initial(DirectiveReader& directive);
void declare_label(DirectiveReader& directive);

}  // namespace neumann::syntax
