#include "runtime/model_reasoner.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <neumann/error.h>
#include <neumann/semantics.h>

#include "base/memory.h"
#include "logic/print.h"
#include "prove/compile.h"
#include "prove/exact_reasoner.h"
#include "runtime/problems.h"
#include "runtime/reasoner_options.h"

namespace neumann {
namespace {

// Groups of atoms of a predicate that differ in one argument alone.
void add_exclusive(const CompiledProgram& compiled, PredicateId predicate, std::uint32_t argument, WorldsTask& task) {
    const AtomTable& atoms = compiled.ground.atoms;
    const AtomTable::Range& range = atoms.range(predicate);
    std::map<std::vector<TermId>, std::vector<std::uint32_t>> groups;
    for (std::uint32_t atom = range.first; atom < range.first + range.count; ++atom) {
        if (!task.random_atom[atom]) continue;
        const std::span<const TermId> args = atoms.args_of(AtomId(atom));
        std::vector<TermId> others(args.begin(), args.end());
        others.erase(others.begin() + argument);
        groups[std::move(others)].push_back(atom);
    }
    for (auto& [others, group] : groups)
        if (group.size() > 1) task.exclusive.push_back(std::move(group));
}

WorldsTask worlds_task(const CompiledProgram& compiled, std::span<const std::uint32_t> asked,
                       std::span<const double> weights) {
    const ReasoningGraph& graph = compiled.ground.graph;
    WorldsTask task;
    task.asked.assign(asked.begin(), asked.end());
    task.observed = compiled.observed;
    for (const double weight : weights) task.random_clause.push_back(weight != 1);
    for (const ClauseInfo& clause : compiled.clauses)
        task.disjunction.push_back(clause.choice.value_or(WorldsTask::none));
    for (const float initial : graph.initial.span()) task.random_atom.push_back(initial > 0 && initial < 1);
    const std::vector<PredicateDecl>& predicates = compiled.program.signature.predicates();
    for (std::uint32_t p = 0; p < predicates.size(); ++p) {
        const AtomTable::Range& range = compiled.ground.atoms.range(PredicateId(p));
        for (std::uint32_t atom = range.first; predicates[p].neural && atom < range.first + range.count; ++atom)
            task.random_atom[atom] = true;
        if (predicates[p].exclusive) add_exclusive(compiled, PredicateId(p), *predicates[p].exclusive, task);
    }
    return task;
}

[[noreturn]] void refuse_evidence(const Model::State& model, const std::string& semantics) {
    const Program& program = model.compiled().program;
    const std::string why = fmt::format("the semantics {} has no evidence about what clauses derive", semantics);
    const std::string advice = fmt::format("take --semantics {}, which reasons backwards too", exact_semantics_name);
    if (program.evidence.empty()) throw Error(fmt::format("error: {}; {}", why, advice));
    Diagnostics diagnostics;
    diagnostics.report(codes::unsupported, program.evidence[0].atom.span, why, advice);
    throw error_of(diagnostics, *program.sources, model.shown);
}

CompileLimits compile_limits(const ReasonerOptions& options) {
    using Clock = std::chrono::steady_clock;
    CompileLimits limits;
    limits.bytes = (options.memory_limit != 0 ? options.memory_limit : available_memory_bytes() / 5 * 4) / 2;
    const auto begun = Clock::now();
    limits.watch = [options, begun](std::size_t done, std::size_t all, std::size_t nodes) {
        if (options.progress) options.progress(fmt::format("compiling, {} nodes", nodes), done, all);
        const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
        if (options.time_limit > 0 && seconds > options.time_limit)
            throw DiagramLimit(fmt::format("the time limit of {} s is over, with {} of {} atoms and {} nodes",
                                           options.time_limit, done, all, nodes));
    };
    return limits;
}

}  // namespace

std::vector<std::uint32_t> derived_atoms(const ReasoningGraph& graph) {
    std::vector<std::uint32_t> derived;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a)
        if (graph.in_begin[a] != graph.in_begin[a + 1]) derived.push_back(a);
    return derived;
}

std::unique_ptr<GraphReasoner> make_model_reasoner(Model::State& model, const ReasonerOptions& options,
                                                   std::span<const std::uint32_t> asked,
                                                   std::span<const double> weights) {
    const ReasonOptions reason = reason_options(options);
    if (options.semantics != exact_semantics_name) {
        if (!model.compiled().observed.empty()) refuse_evidence(model, options.semantics);
        return make_reasoner(options.engine, model.graph(), reason, reason.steps ? nullptr : &model.levels());
    }
    WorldsTask task = worlds_task(model.compiled(), asked, weights);
    try {
        Circuit circuit = compile_circuit(model.graph(), model.levels(), task, compile_limits(options));
        return make_exact_reasoner(options.engine, model.graph(), model.levels(), std::move(task), std::move(circuit),
                                   reason);
    } catch (const DiagramLimit& limit) {
        throw Error(fmt::format("error: exact probabilities are too hard here: {}; ask a narrower query, raise the "
                                "limits, or take another semantics",
                                limit.what()));
    }
}

}  // namespace neumann
