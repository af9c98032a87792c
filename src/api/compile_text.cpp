#include "api/compile_text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analyse/analyse.h"
#include "logic/print.h"

namespace neumann {

bool compile_text(std::string name, std::string text, const CompileOptions& options, Diagnostics& diagnostics,
                  LoadedProgram& result) {
    CompiledProgram& compiled = result.compiled;
    Program& program = compiled.program;
    program = parse_program(std::move(name), std::move(text), options.load, diagnostics);
    if (!options.queries.empty()) program.queries.clear();
    for (const std::string& query_text : options.queries) {
        if (!program.vocabulary_complete) break;
        if (std::optional<Query> query = parse_query(program, "--query", query_text, diagnostics))
            program.queries.push_back(std::move(*query));
    }
    for (std::uint32_t p = 0; p < program.signature.predicates().size(); ++p) {
        PredicateDecl& predicate = program.signature.predicate(PredicateId(p));
        if (std::ranges::find(options.inputs, print_indicator(predicate)) != options.inputs.end())
            predicate.neural = true;
    }
    analyse(program, {.full_grounding = options.ground.mode == GroundMode::Full}, diagnostics);
    if (diagnostics.has_errors()) return false;
    std::optional<GroundProgram> ground = neumann::ground(program, options.ground, diagnostics);
    if (!ground) return false;
    compiled.ground = std::move(*ground);
    compiled.clauses = describe_clauses(program);
    compiled.mode = options.ground.mode == GroundMode::Full ? "full" : "relevant";
    for (const Query& query : program.queries) {
        compiled.queries.push_back(
            print_atom(program.signature, program.terms, query.atom.predicate, query.atom.args, query.variables));
    }
    if (options.with_levels) result.levels = find_levels(compiled.ground.graph);
    return true;
}

}  // namespace neumann
