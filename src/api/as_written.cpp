#include "api/as_written.h"

#include <algorithm>

#include "analyse/analyse.h"

namespace neumann {

void analyse_as_written(Program& program, Diagnostics& diagnostics) {
    const bool has_aggregates =
        std::ranges::any_of(program.clauses, [](const Clause& clause) { return !clause.aggregates.empty(); });
    if (!has_aggregates) return analyse(program, {}, diagnostics);
    Program analysed = program;
    analyse(analysed, {}, diagnostics);
}

}  // namespace neumann
