#include "learn/probabilities/parameter_program.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "compile/compile.h"
#include "compile/problems.h"
#include "learn/probabilities/parameter_learner.h"
#include "learn/task/learn_error.h"
#include "logic/print.h"

namespace neumann {
namespace {

// A clause alone, or the heads of an annotated disjunction; those with something to learn.
std::vector<ParameterGroup> parameter_groups(const std::vector<Clause>& clauses) {
    std::vector<ParameterGroup> groups;
    std::map<std::uint32_t, ParameterGroup> by_choice;
    for (std::uint32_t k = 0; k < clauses.size(); ++k) {
        const Clause& clause = clauses[k];
        if (clause.choice) {
            ParameterGroup& group = by_choice[*clause.choice];
            if (clause.parameter) group.clauses.push_back(k);
            if (!clause.parameter) group.fixed += clause.weight_value();
        } else if (clause.parameter) {
            groups.push_back({{k}, 0});
        }
    }
    for (auto& [choice, group] : by_choice)
        if (!group.clauses.empty()) groups.push_back(std::move(group));
    return groups;
}

void refuse_what_cannot_be_learned(const Program& program, Diagnostics& diagnostics) {
    for (const Evidence& one : program.evidence)
        diagnostics.report(codes::unsupported, one.atom.span, "evidence in a program whose probabilities are learned",
                           "what was observed stands in the examples");
    for (const Clause& clause : program.clauses)
        if (clause.parameter && clause.parameter->span.file != 0)
            diagnostics.report(codes::unsupported, clause.parameter->span,
                               "a probability to be learned in a file that is included",
                               "write the clause into the program itself, which is what learning writes anew");
}

CompileOptions parameter_compiling(const ModelOptions& reading, const std::vector<std::string>& inputs) {
    CompileOptions compiling;
    compiling.ground.mode = reading.grounding == Grounding::Full ? GroundMode::Full : GroundMode::Relevant;
    compiling.ground.threads = reading.threads == 0 ? hardware_threads() : reading.threads;
    compiling.ground.memory_limit = reading.memory_limit;
    compiling.ground.most_new_numbers = reading.most_new_numbers;
    compiling.inputs = inputs;
    compiling.open_parameters = true;
    return compiling;
}

}  // namespace

ParameterProgram load_parameter_program(const std::filesystem::path& path, const ModelOptions& reading,
                                        const std::vector<std::string>& inputs) {
    std::error_code ignored;
    if (is_saved_graph(path)) throw LearnError("a saved graph has nothing left to learn; give the program's text");
    if (std::filesystem::is_directory(path, ignored))
        throw LearnError(
            fmt::format("{} is a folder; probabilities are learned for a program in one file", path.string()));
    ParameterProgram result;
    Diagnostics diagnostics = make_diagnostics(reading);
    Program program = load_typed(path, load_options(reading), diagnostics);
    refuse_what_cannot_be_learned(program, diagnostics);
    const auto text = [&](const Atom& atom, std::span<const ClauseVariable> variables) {
        return print_atom(program.signature, program.terms, atom.predicate, atom.args, variables);
    };
    if (!program.labels.empty()) result.label = text(program.labels[0], {});
    for (const Query& query : program.queries) result.queries.push_back(text(query.atom, query.variables));
    program.queries.clear();  // all that examples may observe is needed
    program.labels.clear();
    const std::shared_ptr<SourceSet> sources = program.sources;
    const bool good = sources->size() > 0 &&
                      compile(std::move(program), parameter_compiling(reading, inputs), diagnostics, result.loaded);
    if (!good) throw error_of(diagnostics, *sources, reading);
    result.warnings = without_last_break(rendered(diagnostics, *sources, reading));
    result.groups = parameter_groups(result.loaded.compiled.program.clauses);
    if (result.groups.empty())
        throw LearnError(
            fmt::format("{} has no probability to learn; mark some: t(_)::p. or t(0.3)::p :- q.", path.string()));
    return result;
}

std::vector<double> start_weights(const CompiledProgram& compiled, const std::vector<ParameterGroup>& groups,
                                  std::uint64_t seed) {
    const std::span<const double> written = compiled.ground.graph.weight.span();
    std::vector<double> weights(written.begin(), written.end());
    std::vector<bool> open;
    for (const Clause& clause : compiled.program.clauses) open.push_back(clause.parameter && clause.parameter->open);
    for (const ParameterGroup& group : groups) draw_start(group, open, seed, weights);
    return weights;
}

std::string parameter_text(const Program& program, std::uint32_t clause) {
    Clause shown = program.clauses[clause];
    if (shown.choice)
        return print_atom(program.signature, program.terms, shown.head.predicate, shown.head.args, shown.variables);
    shown.weight.reset();
    std::string text = print_clause(program, shown);
    text.pop_back();  // its dot
    return text;
}

std::string head_of(const Program& program, std::uint32_t clause) {
    return print_indicator(program.signature.predicate(program.clauses[clause].head.predicate));
}

std::size_t parameter_line(const Program& program, std::uint32_t clause) {
    return program.sources->line(program.clauses[clause].parameter->span);
}

std::vector<std::uint32_t> learned_clauses(const std::vector<ParameterGroup>& groups) {
    std::vector<std::uint32_t> clauses;
    for (const ParameterGroup& group : groups)
        clauses.insert(clauses.end(), group.clauses.begin(), group.clauses.end());
    std::ranges::sort(clauses);
    return clauses;
}

std::string with_learned_weights(const Program& program, const std::vector<ParameterGroup>& groups,
                                 std::span<const double> weights, bool marked) {
    std::map<Span, double, std::greater<>> places;  // from the end on, so that they stay right
    for (const std::uint32_t k : learned_clauses(groups)) places[program.clauses[k].parameter->span] = weights[k];
    std::string text(program.sources->file(0).text());
    for (const auto& [span, value] : places) {
        const bool may_go_on = marked && value > 0 && value < 1;
        text.replace(span.begin, span.end - span.begin,
                     may_go_on ? fmt::format("t({})", value) : fmt::format("{}", value));
    }
    return text;
}

}  // namespace neumann
