// Reading of an atom whose text is no part of the program: the program's sources stay as they are.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/diagnostics.h"
#include "logic/program.h"

namespace neumann {

struct ParsedAtom {
    std::optional<Query> query;  // nothing: diagnostics has the error
    Diagnostics diagnostics;
    std::shared_ptr<SourceSet> sources;  // of the diagnostics: the text alone
};

// Interns the terms of the text into the program; its constants are added to open types.
ParsedAtom parse_atom(Program& program, std::string_view text);

}  // namespace neumann
