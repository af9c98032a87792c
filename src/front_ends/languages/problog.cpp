// ProbLog's programs. Many are programs of the language, as it grounds them itself. Others have terms without types, or
// depend on calls from left to right: these are resolved from their queries.
#include <algorithm>
#include <array>
#include <optional>
#include <variant>

#include <neumann/semantics.h>

#include "front_ends/front_end.h"
#include "interchange/problog_reader.h"
#include "interchange/writers.h"
#include "resolution/resolve_program.h"
#include "syntax/goal_order.h"

namespace neumann {
namespace {

constexpr std::array<std::string_view, 3> problog_endings = {".pl", ".problog", ".pro"};

// Integers stay integers, and are the same in ProbLog.
bool is_integral(const Program& program, TermId expression) {
    if (program.terms.kind(expression) != TermKind::Compound) return true;
    const std::optional<Operation> operation =
        program.signature.functor(program.terms.functor_of(expression)).operation;
    const bool is_same = operation == Operation::Add || operation == Operation::Subtract ||
                         operation == Operation::Multiply || operation == Operation::Negate;
    return is_same &&
           std::ranges::all_of(program.terms.args(expression), [&](TermId one) { return is_integral(program, one); });
}
bool has_only_integers(const Program& program) {
    return std::ranges::all_of(program.signature.constants(), [](const ConstantDecl& one) {
        const std::optional<Number> number = parse_number(one.name);
        return !number || std::holds_alternative<std::int64_t>(*number);
    });
}

// Without functors. Grounding may make integers: it ends, or there are too many.
bool is_datalog(const Program& program) {
    const bool integers = has_only_integers(program);
    const auto is_flat = [&](TermId t) { return program.terms.kind(t) != TermKind::Compound; };
    const auto flat_atom = [&](const Atom& atom) { return std::ranges::all_of(atom.args, is_flat); };
    for (std::size_t f = 0; f < program.facts.size(); ++f) {
        if (!std::ranges::all_of(program.facts[f].args, is_flat)) return false;
    }
    return std::ranges::all_of(program.clauses, [&](const Clause& clause) {
        return flat_atom(clause.head) &&
               std::ranges::all_of(clause.body, [&](const Literal& goal) { return flat_atom(goal.atom); }) &&
               std::ranges::none_of(clause.constraints, [&](const Constraint& one) {
                   return one.comparison == Comparison::Between ||
                          (one.comparison == Comparison::Is && !(integers && is_integral(program, one.right)));
               });
    });
}

bool is_without_order(const Program& program) {
    return syntax::find_ordered_goals(*program.sources, 0).empty() && is_datalog(program);
}

Program read_typed(const ReadRequest& request, Diagnostics& diagnostics, std::vector<std::string>&) {
    return load_program(request.path, request.load, diagnostics);
}

Program read_resolved(const ReadRequest& request, Diagnostics& diagnostics, std::vector<std::string>&) {
    Program resolved;
    const auto file = load_text(request.path, *resolved.sources, diagnostics, request.load.limits);
    const resolution::Asked asked = {
        {request.queries.begin(), request.queries.end()}, request.queries_from, request.needs_queries};
    if (file) resolution::resolve_program(*file, asked, resolved, diagnostics);
    return resolved;
}

// Duplicates are remarks: ProbLog's duplicate facts are independent events.
constexpr std::array harmless_when_typed = {codes::singleton_variable, codes::large_rule};
// Duplicates are intended, and queries that no clause derives are allowed.
constexpr std::array intended_when_resolved = {codes::duplicate_clause, codes::never_derived};

constexpr std::array<Road, 2> problog_roads = {
    {{.grounding = "", .read = read_typed, .suits = is_without_order, .harmless = harmless_when_typed},
     {.grounding = "resolved", .read = read_resolved, .intended = intended_when_resolved}}};

// Lines and comments stay.
TranslatedText translate_problog(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                                 std::vector<std::string>& notes) {
    return {interchange::read_problog(sources, file, diagnostics, notes), sources.file(file).name()};
}

}  // namespace

const FrontEnd problog_front_end = {.name = "problog",
                                    .summary = "ProbLog's programs",
                                    .endings = problog_endings,
                                    .refuses =
                                        "the cut, assert, output, continuous distributions, code in other languages",
                                    .default_semantics = exact_semantics_name,
                                    .roads = problog_roads,
                                    .translate = translate_problog,
                                    .write = [](Program& program, const WriteRequest&, Diagnostics& diagnostics) {
                                        return WrittenProgram{interchange::write_problog(program, diagnostics), {}};
                                    }};

}  // namespace neumann
