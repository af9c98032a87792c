#include "compile/parse_atom.h"

#include <utility>

#include "syntax/load.h"

namespace neumann {

ParsedAtom parse_atom(Program& program, std::string_view text) {
    ParsedAtom parsed;
    const std::shared_ptr<SourceSet> own = std::exchange(program.sources, std::make_shared<SourceSet>());
    parsed.query = parse_query(program, "atom", text, parsed.diagnostics);
    parsed.sources = std::exchange(program.sources, own);
    if (parsed.diagnostics.has_errors()) parsed.query.reset();
    return parsed;
}

}  // namespace neumann
