#include "ground/compiled_program.h"

#include "logic/print.h"

namespace neumann {

std::string CompiledProgram::atom_text(std::uint32_t atom) const {
    const AtomId id(atom);
    return print_answer(program, ground.atoms.predicate_of(id), ground.atoms.args_of(id));
}

std::vector<ClauseInfo> describe_clauses(const Program& program) {
    std::vector<ClauseInfo> result;
    for (const Clause& clause : program.clauses) {
        result.push_back({print_clause(program, clause), program.sources->file(clause.span.file).name(),
                          program.sources->line(clause.span), clause.choice});
    }
    return result;
}

}  // namespace neumann
