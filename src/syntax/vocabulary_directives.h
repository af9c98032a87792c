// Directives for the vocabulary: types with their constants, predicates, functors, lists, and bounds.
// A type and a list have two readings each: first their names alone, so that others may refer to them.
#pragma once

#include "syntax/directive_reader.h"

namespace neumann::syntax {

void declare_type_name(DirectiveReader& directive);
void declare_list_name(DirectiveReader& directive);
void declare_constants(DirectiveReader& directive);
void declare_plain_predicate(DirectiveReader& directive);
void declare_neural_predicate(DirectiveReader& directive);
void declare_functor(DirectiveReader& directive);
void declare_list(DirectiveReader& directive);
void declare_max_depth(DirectiveReader& directive);
void declare_max_length(DirectiveReader& directive);
void declare_no_repeats(DirectiveReader& directive);
void declare_distinct(DirectiveReader& directive);
void declare_exclusive(DirectiveReader& directive);

}  // namespace neumann::syntax
