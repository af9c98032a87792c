#include "runtime/model_reasoner.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <neumann/error.h>
#include <neumann/semantics.h>

#include "prove/circuit.h"
#include "prove/exact_reasoner.h"
#include "prove/sample_reasoner.h"
#include "prove/topk_reasoner.h"
#include "runtime/asked_queries.h"
#include "runtime/problems.h"
#include "runtime/reasoner_options.h"

namespace neumann {
namespace {

constexpr std::uint64_t most_samples = 1'000'000'000;

constexpr std::uint32_t most_proofs = 1'000'000;
constexpr std::uint32_t proofs_for_bounds = 100;

TopkOptions topk_options(const ReasonerOptions& options) {
    TopkOptions topk;
    topk.k = options.k;
    if (options.memory_limit != 0) topk.bounding.bytes = std::min(topk.bounding.bytes, options.memory_limit / 2);
    return topk;
}

std::unique_ptr<GraphReasoner> make_sampler(Model::State& model, const ReasonerOptions& options, WorldsTask task) {
    require(options.engine == default_engine_name, "the {} engine cannot sample worlds: leave out the engine",
            options.engine);
    require(options.kernel.empty(), "worlds are sampled without kernels: leave out the kernel");
    require(options.samples >= 1 && options.samples <= most_samples, "{} samples where 1 to {} can be taken",
            options.samples, most_samples);
    const ReasonOptions reason = reason_options(options);
    return make_sample_reasoner(model.graph(), model.levels(), std::move(task), reason,
                                {.samples = options.samples, .seed = options.seed, .threads = reason.threads});
}

std::unique_ptr<GraphReasoner> make_prover(Model::State& model, const ReasonerOptions& options, WorldsTask task) {
    require(options.engine == default_engine_name, "the {} engine cannot find proofs: leave out the engine",
            options.engine);
    require(options.kernel.empty(), "proofs are found without kernels: leave out the kernel");
    require(options.k >= 1 && options.k <= most_proofs, "{} proofs where 1 to {} can be taken", options.k, most_proofs);
    return make_topk_reasoner(model.graph(), model.levels(), std::move(task), reason_options(options),
                              topk_options(options));
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

std::shared_ptr<const CompiledTask> compile_now(Model::State& model, const ReasonerOptions& options,
                                                std::span<const std::uint32_t> asked, std::span<const double> weights) {
    ModelWorlds worlds = compile_model_worlds(model, options, asked, weights);
    Circuit circuit = make_circuit(worlds.choices, worlds.diagrams);
    return std::make_shared<CompiledTask>(CompiledTask{std::move(worlds.task), std::move(circuit)});
}

// What the model has already, if it knows all that is asked; else null.
std::shared_ptr<const CompiledTask> compiled_before(Model::State& model, std::span<const std::uint32_t> asked,
                                                    std::span<const double> weights) {
    const std::shared_ptr<const CompiledTask> known = model.exact();
    if (known == nullptr) return nullptr;
    const WorldsTask task = worlds_task(model.compiled(), asked, weights);
    std::vector<std::uint32_t> has = known->task.asked;
    std::ranges::sort(has);
    const auto knows = [&](std::uint32_t atom) { return std::ranges::binary_search(has, atom); };
    return known->task.same_worlds(task) && std::ranges::all_of(asked, knows) ? known : nullptr;
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
                                                   std::span<const double> weights, std::optional<ModelWorlds>* kept) {
    const ReasonOptions reason = reason_options(options);
    if (has_bounds(options.semantics)) {
        WorldsTask task = worlds_task(model.compiled(), asked, weights);
        return options.semantics == sample_semantics_name ? make_sampler(model, options, std::move(task))
                                                          : make_prover(model, options, std::move(task));
    }
    if (options.semantics != exact_semantics_name) {
        if (!model.compiled().observed.empty()) refuse_evidence(model, options.semantics);
        return make_reasoner(options.engine, model.graph(), reason, reason.steps ? nullptr : &model.levels());
    }
    std::shared_ptr<const CompiledTask> compiled;
    if (kept != nullptr) {
        kept->emplace(compile_model_worlds(model, options, asked, weights));
        const ModelWorlds& worlds = **kept;
        compiled =
            std::make_shared<CompiledTask>(CompiledTask{worlds.task, make_circuit(worlds.choices, worlds.diagrams)});
    } else {
        compiled = compiled_before(model, asked, weights);
        if (compiled == nullptr) compiled = compile_now(model, options, asked, weights);
    }
    return make_exact_reasoner(options.engine, model.graph(), model.levels(), std::move(compiled), reason);
}

std::vector<std::uint32_t> atoms_to_ask(Model::State& model) {
    std::vector<std::uint32_t> atoms;
    const std::scoped_lock lock(model.mutex);
    for (const AtomNames::QueryAtoms& query : asked_queries(model.compiled().queries, "the model's queries", model))
        atoms.insert(atoms.end(), query.atoms.begin(), query.atoms.end());
    if (atoms.empty()) return derived_atoms(model.graph());
    std::ranges::sort(atoms);
    atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
    return atoms;
}

std::shared_ptr<const CompiledTask> compile_task(Model::State& model, const ReasonerOptions& options,
                                                 std::span<const std::uint32_t> asked) {
    return compile_now(model, options, asked, model.graph().weight.span());
}

// What the attempt has left of the limits is not known: a share of them for all that is asked.
std::unique_ptr<GraphReasoner> make_bounds_reasoner(Model::State& model, const ReasonerOptions& options,
                                                    std::span<const std::uint32_t> asked,
                                                    std::span<const double> weights) {
    TopkOptions topk = topk_options(options);
    topk.k = proofs_for_bounds;
    topk.tightest = true;
    topk.bounding.exact_steps = 0;
    topk.search.looks = std::max<std::uint64_t>(topk.search.looks / std::max<std::size_t>(asked.size(), 1), 1U << 16);
    return make_topk_reasoner(model.graph(), model.levels(), worlds_task(model.compiled(), asked, weights),
                              reason_options(options), topk);
}

}  // namespace neumann
