// The directive that puts an atom into words: say(older(X, Y), '{X} is older than {Y}').
#pragma once

#include "syntax/directive_reader.h"

namespace neumann::syntax {

void declare_saying(DirectiveReader& directive);

}  // namespace neumann::syntax
