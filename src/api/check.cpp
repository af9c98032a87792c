#include <neumann/check.h>

#include "analyse/analyse.h"
#include "logic/print.h"
#include "runtime/problems.h"

namespace neumann {

ProgramCheck check_program(const std::filesystem::path& path, const ModelOptions& options) {
    Diagnostics diagnostics = make_diagnostics(options);
    Program program = load_program(path, load_options(options), diagnostics);
    analyse(program, {}, diagnostics);
    ProgramCheck result;
    result.good = !diagnostics.has_errors();
    result.problems = problems_of(diagnostics, *program.sources);
    result.text = rendered(diagnostics, *program.sources, options);
    for (std::uint32_t t = 0; t < program.signature.types().size(); ++t) {
        if (!program.signature.is_expression(TypeId(t))) ++result.types;
    }
    result.predicates = program.signature.predicates().size();
    result.facts = program.facts.size();
    result.clauses = program.clauses.size();
    if (!result.good) return result;
    // As text of the single-file language, where lists are declared and printed as such.
    for (std::uint32_t t = 0; t < program.signature.types().size(); ++t) {
        if (auto& list = program.signature.type(TypeId(t)).list) list->printed = true;
    }
    result.program = print_program(program);
    return result;
}

}  // namespace neumann
