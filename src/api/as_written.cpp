#include "api/as_written.h"

#include <algorithm>

#include "analyse/analyse.h"
#include "logic/print.h"

namespace neumann {

void analyse_as_written(Program& program, Diagnostics& diagnostics) {
    const bool has_aggregates =
        std::ranges::any_of(program.clauses, [](const Clause& clause) { return !clause.aggregates.empty(); });
    if (!has_aggregates) return analyse(program, {}, diagnostics);
    Program analysed = program;
    analyse(analysed, {}, diagnostics);
}

std::string print_as_file(Program& program) {
    for (std::uint32_t t = 0; t < program.signature.types().size(); ++t) {
        if (auto& list = program.signature.type(TypeId(t)).list) list->printed = true;
    }
    // Atoms that are predicates become names in quotes.
    for (std::uint32_t p = 0; p < program.signature.predicates().size(); ++p)
        program.signature.predicate(PredicateId(p)).spelled = false;
    return print_program(program);
}

}  // namespace neumann
