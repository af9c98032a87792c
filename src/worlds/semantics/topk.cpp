#include "worlds/semantics/topk.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reason/require_that.h"
#include "worlds/asked_reasoner.h"
#include "worlds/bound_propagation.h"
#include "worlds/choice_order.h"
#include "worlds/diagram_weights.h"
#include "worlds/joint_bounds.h"
#include "worlds/proof_union.h"
#include "worlds/world_semantics.h"

namespace neumann {
namespace {

constexpr std::uint32_t most_proofs = 1'000'000;

constexpr SemanticsSummary topk_laws = {.name = "topk",
                                        .summary = "bounds of the exact probabilities from the most probable proofs",
                                        .has_worlds = true,
                                        .has_bounds = true,
                                        .takes_evidence = true,
                                        .takes_engine = false,
                                        .takes_k = true,
                                        .step_name = "proof",
                                        .values_name = "topk probabilities"};
constexpr EngineInfo topk_engine = solver_engine(topk_laws);

// An upper bound of the conjunction of all literals, from their upper bounds.
double most_of_all(std::span<const GraphLiteral> literals, const std::vector<ValueBounds>& bounds) {
    double most = 1;
    for (const GraphLiteral literal : literals) {
        const ValueBounds one = bounds[literal.atom()];
        most = std::min(most, literal.negated() ? 1 - one.low : one.high);
    }
    return most;
}

class TopkSolver final : public ExampleSolver {
public:
    TopkSolver(ReasoningGraph graph, const GraphLevels& levels, WorldsTask task, const TopkOptions& topk);

    const WorldsTask& task() const override { return task_; }
    std::string description() const override { return fmt::format("the {} most probable proofs", topk_.k); }
    std::size_t bytes() const override { return exact_ ? exact_->of.diagrams.bytes() : 0; }
    SolvedExample solve(const Chances& chances, bool with_derivatives) const override;

private:
    BoundingTask bounding_task() const { return {graph_, levels_, choices_, order_, atoms_}; }

    ReasoningGraph graph_;
    GraphLevels levels_;
    WorldsTask task_;
    RandomChoices choices_;
    TopkOptions topk_;
    std::vector<std::uint32_t> order_;            // of the choices
    std::vector<std::uint32_t> place_of_choice_;  // in the order
    std::vector<std::uint32_t> atoms_;            // with functions: asked, observed and negated ones
    std::vector<std::uint32_t> function_;         // per atom: its place among them, or none
    std::vector<std::uint32_t> negated_;          // those whose negation something needs
    std::optional<JointBounds> exact_;            // if it fits the limits
};

TopkSolver::TopkSolver(ReasoningGraph graph, const GraphLevels& levels, WorldsTask task, const TopkOptions& topk)
    : graph_(std::move(graph)), levels_(levels), task_(std::move(task)), choices_(graph_, task_), topk_(topk),
      order_(choice_orders(graph_, task_, choices_, OrderEffort::Quick)[0]), place_of_choice_(order_.size()),
      function_(graph_.atom_count(), WorldsTask::none) {
    for (std::size_t i = 0; i < order_.size(); ++i) place_of_choice_[order_[i]] = static_cast<std::uint32_t>(i);
    const auto want = [&](std::uint32_t atom) {
        if (function_[atom] != WorldsTask::none) return;
        function_[atom] = static_cast<std::uint32_t>(atoms_.size());
        atoms_.push_back(atom);
    };
    for (const std::uint32_t atom : task_.asked) want(atom);
    const auto negate = [&](GraphLiteral literal) {
        if (!literal.negated()) return;
        want(literal.atom());
        negated_.push_back(literal.atom());
    };
    for (const GraphLiteral literal : task_.observed) {
        want(literal.atom());
        negate(literal);
    }
    for (const std::uint32_t atom : choices_.atoms())
        for (const GraphLiteral below : graph_.dependencies(atom)) negate(below);
    if (std::optional<BoundedFunctions> functions = exact_functions(bounding_task(), topk_.bounding))
        exact_ = join_evidence(std::move(*functions), task_, function_);
}

SolvedExample TopkSolver::solve(const Chances& chances, bool with_derivatives) const {
    std::optional<JointBounds> own;
    if (!exact_) own = join_evidence(bounded_functions(bounding_task(), chances, topk_.bounding), task_, function_);
    const JointBounds& functions = exact_ ? *exact_ : *own;
    ConditionalBounds conditional(functions, way_probabilities(choices_, order_, chances));
    require_that(conditional.evidence() > 0, "the evidence has probability 0");
    const bool negations_exact = std::ranges::all_of(
        negated_, [&](std::uint32_t atom) { return functions.of.functions[function_[atom]].exact(); });
    const std::vector<ValueBounds> propagated = propagate_bounds(graph_, levels_, choices_, chances);
    WorldProofSearch search(
        graph_, levels_, choices_, chances,
        [&](std::uint32_t atom) { return conditional.chance_of_not(function_[atom]); }, topk_.search);
    SolvedExample solved;
    for (std::size_t i = 0; i < task_.asked.size(); ++i) {
        std::vector<GraphLiteral> goals{GraphLiteral(task_.asked[i], false)};
        goals.insert(goals.end(), task_.observed.begin(), task_.observed.end());
        // More than are counted, as they come nearly in the order of their probabilities.
        const WorldProofSearch::Found found = search.find(goals, 2 * std::size_t{topk_.k});
        ProofUnion proofs(functions.of, function_, conditional.ways(), place_of_choice_, topk_.bounding);
        proofs.add(found.proofs, topk_.k);
        const ConditionalBounds::Known known{.proved = proofs.probability(),
                                             .all = found.all && proofs.all() && negations_exact,
                                             .most = most_of_all(goals, propagated)};
        solved.bounds.push_back(conditional.bounds(i, known, topk_.tightest));
        solved.values.push_back(conditional.value(known));
        solved.steps += proofs.counted();
        if (!with_derivatives) continue;
        WayProbabilities by_way = conditional.ways();
        for (std::vector<double>& ways : by_way) std::ranges::fill(ways, 0.0);
        proofs.add_derivatives(1 / conditional.evidence(), by_way);
        conditional.add_evidence_derivatives(-solved.values.back() / conditional.evidence(), by_way);
        solved.derivatives.push_back(by_members(choices_, order_, by_way));
    }
    return solved;
}

}  // namespace

TopkOptions topk_options(std::uint32_t k, std::uint64_t memory_limit) {
    TopkOptions topk;
    topk.k = k;
    if (memory_limit != 0) topk.bounding.bytes = std::min(topk.bounding.bytes, memory_limit / 2);
    return topk;
}

std::unique_ptr<GraphReasoner> make_topk_reasoner(ReasoningGraph graph, const GraphLevels& levels, WorldsTask task,
                                                  const ReasonOptions& options, const TopkOptions& topk) {
    require_that(!options.steps.has_value(), "proofs are not counted step by step: leave out the steps");
    require_that(topk.k >= 1 && topk.k <= most_proofs, "{} proofs where 1 to {} can be taken", topk.k, most_proofs);
    auto solver = std::make_unique<TopkSolver>(graph, levels, std::move(task), topk);
    return make_asked_reasoner(topk_engine, topk_laws, std::move(graph), levels, options, std::move(solver));
}

const WorldSemantics topk_semantics = {.laws = topk_laws, .make = [](WorldRequest request) {
                                           return make_topk_reasoner(
                                               std::move(request.graph), request.levels, std::move(request.task),
                                               request.reason, topk_options(request.k, request.reason.memory_limit));
                                       }};

}  // namespace neumann
