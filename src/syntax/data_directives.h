// Directives for data in other files: facts(edge/2, 'edges.csv').
#pragma once

#include "syntax/directive_reader.h"

namespace neumann::syntax {

void declare_facts(DirectiveReader& directive);

}  // namespace neumann::syntax
