#include "session/model_reasoner.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <neumann/error.h>
#include <neumann/semantics.h>

#include "compile/problems.h"
#include "session/asked_queries.h"
#include "session/reasoner_options.h"
#include "worlds/circuit.h"
#include "worlds/semantics/topk.h"
#include "worlds/world_semantics.h"

namespace neumann {
namespace {

constexpr std::uint32_t proofs_for_bounds = 100;

[[noreturn]] void refuse_evidence(const Model::State& model, const std::string& semantics) {
    const Program& program = model.compiled().program;
    const std::string why = fmt::format("the semantics {} has no evidence about what clauses derive", semantics);
    const std::string advice = fmt::format("take --semantics {}, which reasons backwards too", exact_semantics_name);
    if (program.evidence.empty()) throw Error(fmt::format("error: {}; {}", why, advice));
    Diagnostics diagnostics;
    diagnostics.report(codes::unsupported, program.evidence[0].atom.span, why, advice);
    throw error_of(diagnostics, *program.sources, model.shown);
}

std::shared_ptr<const CompiledTask> circuit_of(const WorldDiagrams& worlds) {
    return std::make_shared<CompiledTask>(CompiledTask{worlds.task, make_circuit(worlds.choices, worlds.diagrams)});
}

// The model's compiled task, if it covers all queries; else null.
std::shared_ptr<const CompiledTask> compiled_before(Model::State& model, const ReasonerOptions& options,
                                                    std::span<const std::uint32_t> asked,
                                                    std::span<const double> weights) {
    const std::shared_ptr<const CompiledTask> known = model.exact();
    if (known == nullptr) return nullptr;
    const WorldsTask task = worlds_task(model.compiled(), asked, weights);
    std::vector<std::uint32_t> has = known->task.asked;
    std::ranges::sort(has);
    const auto knows = [&](std::uint32_t atom) { return std::ranges::binary_search(has, atom); };
    const bool fits = known->task.fixed_weights.empty() || options.fixed_weights;
    return fits && known->task.same_worlds(task) && std::ranges::all_of(asked, knows) ? known : nullptr;
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
                                                   std::span<const double> weights,
                                                   std::shared_ptr<const WorldDiagrams>* kept,
                                                   std::shared_ptr<const CompiledTask>* compiled) {
    const SemanticsSummary& laws = semantics_summary(options.semantics);
    ReasonOptions reason = reason_options(options);
    if (!laws.takes_evidence && !model.compiled().observed.empty()) refuse_evidence(model, options.semantics);
    if (!laws.has_worlds)
        return make_reasoner(options.engine, model.graph(), reason, reason.steps ? nullptr : &model.levels());
    require(laws.takes_engine || options.engine == default_engine_name,
            "the semantics {} has no engines: leave out the engine {}", laws.name, options.engine);
    require(laws.takes_engine || options.kernel.empty(), "the semantics {} has no kernels: leave out the kernel",
            laws.name);
    const auto compile = [&] {
        auto worlds = std::make_shared<const WorldDiagrams>(compile_model_worlds(model, options, asked, weights));
        if (kept != nullptr) *kept = worlds;
        return worlds;
    };
    const auto circuit = [&] {
        if (kept != nullptr) return circuit_of(*compile());
        std::shared_ptr<const CompiledTask> known = compiled_before(model, options, asked, weights);
        if (known == nullptr) known = compile_model_circuit(model, options, asked, weights);
        if (compiled != nullptr) *compiled = known;
        return known;
    };
    return find_world_semantics(laws.name)->make({.graph = model.graph(),
                                                  .levels = model.levels(),
                                                  .task = worlds_task(model.compiled(), asked, weights),
                                                  .reason = std::move(reason),
                                                  .samples = options.samples,
                                                  .seed = options.seed,
                                                  .k = options.k,
                                                  .diagrams = compile,
                                                  .circuit = circuit});
}

std::vector<std::uint32_t> atoms_to_ask(Model::State& model) {
    std::vector<std::uint32_t> atoms;
    const std::scoped_lock lock(model.mutex);
    for (const AtomNames::QueryAtoms& query : own_queries(model, "the model's queries"))
        atoms.insert(atoms.end(), query.atoms.begin(), query.atoms.end());
    if (atoms.empty()) return derived_atoms(model.graph());
    std::ranges::sort(atoms);
    atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
    return atoms;
}

std::shared_ptr<const CompiledTask> compile_task(Model::State& model, ReasonerOptions options,
                                                 std::span<const std::uint32_t> asked) {
    options.semantics = exact_semantics_name;
    return compile_model_circuit(model, options, asked, model.graph().weight.span());
}

// The time that the failed attempt has used is not known: each query gets a share of the limits.
std::unique_ptr<GraphReasoner> make_bounds_reasoner(Model::State& model, const ReasonerOptions& options,
                                                    std::span<const std::uint32_t> asked,
                                                    std::span<const double> weights) {
    TopkOptions topk = topk_options(proofs_for_bounds, options.memory_limit);
    topk.tightest = true;
    topk.bounding.exact_steps = 0;
    topk.bounding.finish_in_time = topk.search.finish_in_time = true;
    topk.search.looks = std::max<std::uint64_t>(topk.search.looks / std::max<std::size_t>(asked.size(), 1), 1U << 16);
    return make_topk_reasoner(model.graph(), model.levels(), worlds_task(model.compiled(), asked, weights),
                              reason_options(options), topk);
}

}  // namespace neumann
