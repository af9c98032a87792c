#include <optional>
#include <utility>

#include <fmt/format.h>

#include <neumann/check.h>

#include "analyse/analyse.h"
#include "api/as_written.h"
#include "compile/compile.h"
#include "compile/problems.h"
#include "ground/demand.h"
#include "logic/bounds.h"
#include "logic/print.h"

namespace neumann {
namespace {

std::string with_types(const Signature& signature, const std::string& name, const std::vector<TypeId>& args) {
    std::vector<std::string> types;
    types.reserve(args.size());
    for (TypeId arg : args) types.push_back(quote_name(signature.type(arg).name));
    return types.empty() ? quote_name(name) : fmt::format("{}({})", quote_name(name), fmt::join(types, ", "));
}

CheckedType checked_type(const Program& program, const TypeDecl& type) {
    const Signature& signature = program.signature;
    CheckedType result{type.name, type.inferred ? "inferred" : "declared", type.open, {}, {}, {}};
    for (ConstantId c : type.constants) {
        const bool empty = type.list && type.list->empty == c;
        result.constants.push_back(empty ? "[]" : quote_name(signature.constant(c).name));
    }
    for (FunctorId f : type.functors) {
        const FunctorDecl& functor = signature.functor(f);
        const bool cell = type.list && type.list->cons == f;
        result.functors.push_back(
            cell ? fmt::format("[{}|{}]", quote_name(signature.type(type.list->element).name), quote_name(type.name))
                 : with_types(signature, functor.name, functor.args));
    }
    for (const TypePlace& place : type.places) {
        result.places.push_back(place.place);
        if (!place.joined_by.empty())
            result.places.back() +=
                fmt::format(", joined by {} in line {}", place.joined_by, program.sources->line(place.span));
    }
    return result;
}

void add_vocabulary(const Program& program, ProgramCheck& result) {
    const Signature& signature = program.signature;
    for (const PredicateDecl& predicate : signature.predicates()) {
        result.all_predicates.push_back(
            {with_types(signature, predicate.name, predicate.args), predicate.neural     ? "neural"
                                                                    : predicate.inferred ? "inferred"
                                                                                         : "declared"});
    }
    for (std::uint32_t t = 0; t < signature.types().size(); ++t) {
        if (!signature.is_expression(TypeId(t)))
            result.all_types.push_back(checked_type(program, signature.type(TypeId(t))));
    }
}

ProgramCheck check_of(Program& program, const Diagnostics& diagnostics, const ModelOptions& options) {
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
    add_vocabulary(program, result);
    Diagnostics unused;
    std::vector<std::string> notes;
    result.program = neumann_front_end.write(program, {.notes = notes}, unused).text;
    return result;
}

}  // namespace

ProgramCheck check_program(const std::filesystem::path& path, const ModelOptions& options) {
    CompileOptions how;
    how.load = load_options(options);
    ReadRequest request = read_request(path, how);
    request.needs_queries = false;
    const FoundRoad found = find_road(request, how);
    Diagnostics diagnostics = make_diagnostics(options);
    Program program = read_on(found.road, request, diagnostics);
    analyse_as_written(program, diagnostics);
    ProgramCheck result = check_of(program, diagnostics, options);
    if (front_end_of(path).roads.size() > 1)
        result.grounding = found.road->is_typed() ? "relevant" : std::string(found.road->grounding);
    return result;
}

ProgramCheck check_text(std::string text, const ModelOptions& options, std::string name) {
    Diagnostics diagnostics = make_diagnostics(options);
    Program program = parse_program(std::move(name), std::move(text), load_options(options), diagnostics);
    analyse_as_written(program, diagnostics);
    return check_of(program, diagnostics, options);
}

std::string demanded_clauses(const std::filesystem::path& path, const ModelOptions& options) {
    Diagnostics diagnostics = make_diagnostics(options);
    Program program = load_typed(path, load_options(options), diagnostics);
    analyse(program, {}, diagnostics);
    if (diagnostics.has_errors()) throw error_of(diagnostics, *program.sources, options);
    const TermBounds bounds(program.signature);
    const std::vector<Rule> rules = compile_rules(program, bounds);
    const std::optional<Demand> demand = find_demand(program, rules);
    return demand ? print_demand(program, *demand) : "";
}

}  // namespace neumann
