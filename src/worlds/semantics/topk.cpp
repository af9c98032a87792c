#include "worlds/semantics/topk.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reason/require_that.h"
#include "worlds/asked_reasoner.h"
#include "worlds/bound_propagation.h"
#include "worlds/choice_order.h"
#include "worlds/diagram_weights.h"
#include "worlds/joint_bounds.h"
#include "worlds/merged_proofs.h"
#include "worlds/proof_codes.h"
#include "worlds/proof_sum.h"
#include "worlds/proof_union.h"
#include "worlds/world_semantics.h"

namespace neumann {
namespace {

constexpr std::uint32_t most_proofs = 1'000'000;
constexpr std::size_t least_merged = 10;         // proofs per atom, where they share choices
constexpr std::uint64_t most_conditions = 4096;  // of a sum of proofs; diagrams share them

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

// The proofs of an answer that count, as codes.
struct KeptProofs final : SolvedExample::Kept {
    struct Answer {
        std::vector<ProofSum::Proof> proofs;
        double proved = 0;
        bool all = false;       // there are no others
        bool in_codes = false;  // ProofSum has their probability, else ProofUnion
        std::size_t counted = 0;
    };
    std::vector<Answer> answers;  // WorldsTask::asked
};

class TopkSolver final : public ExampleSolver {
public:
    TopkSolver(ReasoningGraph graph, const GraphLevels& levels, WorldsTask task, const TopkOptions& topk);

    const WorldsTask& task() const override { return task_; }
    std::string description() const override { return fmt::format("the {} most probable proofs", topk_.k); }
    std::size_t bytes() const override { return 0; }
    SolvedExample solve(const Chances& chances) const override;
    std::vector<ValueBounds> bounds(const Chances& chances, const SolvedExample& solved) const override;
    void differentiate(const Chances& chances, const SolvedExample& solved, std::span<const double> seeds,
                       const MemberSums& to) const override;

private:
    class Example;

    BoundingTask bounding_task() const { return {graph_, levels_, choices_, order_, atoms_}; }
    const std::optional<JointBounds>& exact() const;
    std::vector<GraphLiteral> goals(std::uint32_t asked) const;

    ReasoningGraph graph_;
    GraphLevels levels_;
    WorldsTask task_;
    RandomChoices choices_;
    ProofCodes codes_;
    MergePlan plan_;
    TopkOptions topk_;
    std::vector<std::uint32_t> order_;            // of the choices
    std::vector<std::uint32_t> place_of_choice_;  // in the order
    std::vector<std::uint32_t> atoms_;            // with functions: asked, observed and negated ones
    std::vector<OptionalIndex> function_;         // per atom: its place among them
    std::vector<std::uint32_t> negated_;          // those whose negation something needs
    mutable std::once_flag functions_made_;
    mutable std::optional<JointBounds> exact_;  // if it fits the limits; made when first needed
};

TopkSolver::TopkSolver(ReasoningGraph graph, const GraphLevels& levels, WorldsTask task, const TopkOptions& topk)
    : graph_(std::move(graph)), levels_(levels), task_(std::move(task)), choices_(graph_, task_),
      codes_(graph_, task_, choices_), plan_(graph_, levels_, choices_, codes_), topk_(topk),
      order_(choice_orders(graph_, task_, choices_, OrderEffort::Quick)[0]), place_of_choice_(order_.size()),
      function_(graph_.atom_count()) {
    for (std::size_t i = 0; i < order_.size(); ++i) place_of_choice_[order_[i]] = static_cast<std::uint32_t>(i);
    const auto want = [&](std::uint32_t atom) {
        if (function_[atom]) return;
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
}

const std::optional<JointBounds>& TopkSolver::exact() const {
    std::call_once(functions_made_, [&] {
        if (std::optional<BoundedFunctions> functions = exact_functions(bounding_task(), topk_.bounding))
            exact_ = join_evidence(std::move(*functions), task_, function_);
    });
    return exact_;
}

std::vector<GraphLiteral> TopkSolver::goals(std::uint32_t asked) const {
    std::vector<GraphLiteral> goals{GraphLiteral(asked, false)};
    goals.insert(goals.end(), task_.observed.begin(), task_.observed.end());
    return goals;
}

// What is known of an example, computed when it is needed: functions, merged and searched proofs.
class TopkSolver::Example {
public:
    Example(const TopkSolver& solver, const Chances& chances) : of_(solver), chances_(chances) {}

    ConditionalBounds& conditional() {
        if (!conditional_) {
            if (!of_.exact())
                own_ = join_evidence(bounded_functions(of_.bounding_task(), chances_, of_.topk_.bounding), of_.task_,
                                     of_.function_);
            conditional_.emplace(functions(), way_probabilities(of_.choices_, of_.order_, chances_));
        }
        return *conditional_;
    }
    const JointBounds& functions() const { return own_ ? *own_ : *of_.exact_; }
    // Of the evidence, at most.
    double evidence() { return of_.task_.observed.empty() ? 1.0 : conditional().evidence(); }
    std::span<const double> chance_of_codes() {
        if (codes_.empty())
            codes_ = of_.codes_.chances(chances_, [&](std::uint32_t atom) { return chance_of_not(atom); });
        return codes_;
    }
    KeptProofs::Answer answer(std::uint32_t asked);
    // Of any proofs, by diagrams.
    ProofUnion make_union() {
        conditional();
        return {functions().of, of_.function_, conditional().ways(), of_.place_of_choice_, of_.topk_.bounding};
    }
    void add_proofs(const KeptProofs::Answer& answer, ProofUnion& to) const {
        std::vector<WorldProof> proofs;
        for (const ProofSum::Proof& codes : answer.proofs) proofs.push_back(of_.codes_.proof(codes));
        to.add(proofs, of_.topk_.k);
    }
    ProofSum sum() { return {of_.codes_, chance_of_codes(), most_conditions}; }

private:
    double chance_of_not(std::uint32_t atom) { return conditional().chance_of_not(*of_.function_[atom]); }
    bool merge(std::span<const GraphLiteral> goals, KeptProofs::Answer& to);
    void search(std::span<const GraphLiteral> goals, KeptProofs::Answer& to);
    // More than are counted, as they come nearly in the order of their probabilities.
    std::size_t wanted() const { return 2 * std::size_t{of_.topk_.k}; }
    std::size_t merged_per_atom() const {
        return exactly_ordered() ? std::size_t{of_.topk_.k} : std::max(wanted(), least_merged);
    }
    // Where no conjunction joins proofs that may share choices.
    bool exactly_ordered() const { return of_.plan_.all_disjoint && of_.task_.observed.empty(); }

    const TopkSolver& of_;
    const Chances& chances_;
    std::optional<JointBounds> own_;
    std::optional<ConditionalBounds> conditional_;
    std::vector<double> codes_;
    bool is_merged_ = false;
    std::optional<MergedProofs> merged_;  // nothing: they exceed the limits
    std::optional<WorldProofSearch> search_;
};

// False: proofs that share choices were dropped, and too few are left.
bool TopkSolver::Example::merge(std::span<const GraphLiteral> goals, KeptProofs::Answer& to) {
    if (of_.topk_.k > of_.topk_.most_merged) return false;
    if (!is_merged_) {
        is_merged_ = true;
        merged_.emplace(of_.graph_, of_.plan_, of_.codes_, merged_per_atom(), of_.topk_.search.looks);
        if (!merged_->run(chance_of_codes(), chances_)) merged_.reset();
    }
    if (!merged_) return false;
    const MergedProofs::Found found = merged_->find(goals);
    if (!found.all && found.proofs.size() < of_.topk_.k) return false;
    to.all = found.all;
    for (const MergedProofs::Proof& proof : found.proofs) {
        const std::span<const std::uint32_t> codes = merged_->codes(proof);
        to.proofs.emplace_back(codes.begin(), codes.end());
    }
    return true;
}

void TopkSolver::Example::search(std::span<const GraphLiteral> goals, KeptProofs::Answer& to) {
    if (!search_)
        search_.emplace(
            of_.graph_, of_.levels_, of_.choices_, chances_, [&](std::uint32_t atom) { return chance_of_not(atom); },
            of_.topk_.search);
    const WorldProofSearch::Found found = search_->find(goals, wanted());
    to.all = found.all;
    for (const WorldProof& proof : found.proofs) {
        ProofSum::Proof codes = of_.codes_.codes(proof);
        if (!of_.codes_.contradict(codes)) to.proofs.push_back(std::move(codes));
    }
}

KeptProofs::Answer TopkSolver::Example::answer(std::uint32_t asked) {
    const std::vector<GraphLiteral> goals = of_.goals(asked);
    KeptProofs::Answer answer;
    if (!merge(goals, answer)) search(goals, answer);
    answer.in_codes = std::ranges::all_of(answer.proofs,
                                          [&](const ProofSum::Proof& codes) { return of_.codes_.all_outcomes(codes); });
    if (answer.in_codes) {
        const std::size_t counted = std::min<std::size_t>(answer.proofs.size(), of_.topk_.k);
        if (const std::optional<double> proved = sum().probability(std::span(answer.proofs).first(counted))) {
            answer.proved = *proved;
            answer.all = answer.all && counted == answer.proofs.size();
            answer.counted = counted;
            answer.proofs.resize(counted);
            return answer;
        }
        answer.in_codes = false;
    }
    ProofUnion proofs = make_union();
    add_proofs(answer, proofs);
    answer.proved = proofs.probability();
    answer.all = answer.all && proofs.all();
    answer.counted = proofs.counted();
    return answer;
}

SolvedExample TopkSolver::solve(const Chances& chances) const {
    Example example(*this, chances);
    const double evidence = example.evidence();
    require_that(evidence > 0, "the evidence has probability 0");
    auto kept = std::make_shared<KeptProofs>();
    SolvedExample solved;
    for (const std::uint32_t asked : task_.asked) {
        const KeptProofs::Answer& answer = kept->answers.emplace_back(example.answer(asked));
        solved.values.push_back(std::min(answer.proved / evidence, 1.0));
        solved.steps += answer.counted;
    }
    solved.kept = std::move(kept);
    return solved;
}

std::vector<ValueBounds> TopkSolver::bounds(const Chances& chances, const SolvedExample& solved) const {
    const auto& kept = static_cast<const KeptProofs&>(*solved.kept);
    Example example(*this, chances);
    ConditionalBounds& conditional = example.conditional();
    const bool negations_exact = std::ranges::all_of(
        negated_, [&](std::uint32_t atom) { return example.functions().of.functions[*function_[atom]].exact(); });
    const std::vector<ValueBounds> propagated = propagate_bounds(graph_, levels_, choices_, chances);
    std::vector<ValueBounds> bounds;
    for (std::size_t i = 0; i < task_.asked.size(); ++i) {
        const KeptProofs::Answer& answer = kept.answers[i];
        const ConditionalBounds::Known known{.proved = answer.proved,
                                             .all = answer.all && negations_exact,
                                             .most = most_of_all(goals(task_.asked[i]), propagated)};
        bounds.push_back(conditional.bounds(i, known, topk_.tightest));
    }
    return bounds;
}

void TopkSolver::differentiate(const Chances& chances, const SolvedExample& solved, std::span<const double> seeds,
                               const MemberSums& to) const {
    const auto& kept = static_cast<const KeptProofs&>(*solved.kept);
    Example example(*this, chances);
    const double evidence = example.evidence();
    ProofSum sum = example.sum();
    std::vector<double> by_code(codes_.count(), 0.0);
    WayProbabilities by_way;  // per place of the order, if diagrams are needed
    const bool by_diagrams = !task_.observed.empty() ||
                             std::ranges::any_of(kept.answers, [](const auto& answer) { return !answer.in_codes; });
    if (by_diagrams) {
        by_way = example.conditional().ways();
        for (std::vector<double>& one : by_way) std::ranges::fill(one, 0.0);
    }
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        if (seeds[i] == 0) continue;
        const KeptProofs::Answer& answer = kept.answers[i];
        const double factor = seeds[i] / evidence;
        if (answer.in_codes) {
            sum.add_derivatives(answer.proofs, factor, by_code);
        } else {
            ProofUnion proofs = example.make_union();
            example.add_proofs(answer, proofs);
            proofs.add_derivatives(factor, by_way);
        }
        if (!task_.observed.empty()) example.conditional().add_evidence_derivatives(-factor * solved.values[i], by_way);
    }
    for (std::uint32_t choice = 0; choice < choices_.count(); ++choice)
        add_to_members(choices_.members(choice), codes_.of_choice(choice, by_code), to);
    for (std::size_t place = 0; place < by_way.size(); ++place)
        add_to_members(choices_.members(order_[place]), by_way[place], to);
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
