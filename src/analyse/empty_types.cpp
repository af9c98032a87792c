#include <fmt/format.h>

#include "analyse/passes.h"
#include "base/suggest.h"
#include "logic/bounds.h"

namespace neumann {

void check_empty_types(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    const TermBounds bounds(program.signature);
    std::vector<std::string> inhabited;
    const auto& types = program.signature.types();
    for (std::size_t t = 0; t < types.size(); ++t) {
        if (bounds.is_inhabited(checked_id<TypeId>(t, "types"))) inhabited.push_back(types[t].name);
    }
    for (std::size_t t = 0; t < types.size(); ++t) {
        const auto type = checked_id<TypeId>(t, "types");
        if (bounds.is_inhabited(type) || program.signature.is_expression(type)) continue;
        // Folders declare types by using them, so a typing mistake there shows only like this.
        diagnostics.report(codes::empty_type, types[t].span, fmt::format("type '{}' has no terms", types[t].name),
                           program.from_folder ? did_you_mean(types[t].name, inhabited) : std::string());
    }
}

}  // namespace neumann
