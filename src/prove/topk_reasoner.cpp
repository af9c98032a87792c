#include "prove/topk_reasoner.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/parallel.h"
#include "prove/asked_pass.h"
#include "prove/bound_propagation.h"
#include "prove/choice_order.h"
#include "prove/diagram_weights.h"
#include "prove/joint_bounds.h"
#include "prove/proof_union.h"
#include "reason/require_that.h"
#include "reason/write_gradients.h"

namespace neumann {
namespace {

constexpr EngineInfo proving_engine{.name = "proving",
                                    .command_name = "proving",
                                    .summary = "finds the most probable proofs",
                                    .gradients = true,
                                    .double_precision = true,
                                    .automatic_steps = true,
                                    .make = nullptr};

// What is found out about an answer in an example.
struct Proved {
    double value = 0;
    ValueBounds bounds;
    std::size_t proofs = 0;
    struct Derivative {
        RandomChoices::Member by;
        double of_value;
    };
    std::vector<Derivative> derivatives;  // where a backward pass may follow
};

class TopkPass final : public AskedPass {
public:
    TopkPass() : AskedPass("topk") {}

    void read_initials(std::size_t example, const NumberSpan& to) const override {
        const std::vector<double> values = initials(example);
        for (std::size_t atom = 0; atom < values.size(); ++atom) to.set(atom, static_cast<double>(values[atom]));
    }
    std::uint32_t steps(std::size_t example) const override {
        std::size_t proofs = 0;
        for (const Proved& one : found[example]) proofs += one.proofs;
        return static_cast<std::uint32_t>(proofs);
    }
    std::size_t bytes() const override {
        std::size_t sum = initial.size() * sizeof(double);
        for (const std::vector<Proved>& example : found)
            for (const Proved& one : example)
                sum += sizeof(Proved) + one.derivatives.size() * sizeof(Proved::Derivative);
        return sum;
    }
    double value_of(std::uint32_t atom, std::size_t example) const override { return proved(atom, example).value; }
    ValueBounds bounds(std::uint32_t atom, std::size_t example) const override { return proved(atom, example).bounds; }

    const Proved& proved(std::uint32_t atom, std::size_t example) const {
        const std::uint32_t at = (*place)[atom];
        if (at == WorldsTask::none) refuse_unasked();
        return found[example][at];
    }
    std::vector<double> initials(std::size_t example) const {
        std::vector<double> values = initial;
        for (std::size_t i = 0; i < inputs.atoms(example).size(); ++i)
            values[inputs.atoms(example)[i]] = inputs.value(example, i);
        return values;
    }

    std::shared_ptr<const std::vector<std::uint32_t>> place;  // per atom: among those asked, or none
    InputBatch inputs;
    std::vector<double> initial;
    std::vector<std::vector<Proved>> found;  // per example and atom asked
};

// What all literals together have at most, if each has at most what the bounds say.
double most_of_all(std::span<const GraphLiteral> literals, const std::vector<ValueBounds>& bounds) {
    double most = 1;
    for (const GraphLiteral literal : literals) {
        const ValueBounds one = bounds[literal.atom()];
        most = std::min(most, literal.negated() ? 1 - one.low : one.high);
    }
    return most;
}

class TopkReasoner final : public GraphReasoner {
public:
    TopkReasoner(ReasoningGraph outside, const GraphLevels& levels, WorldsTask task, const ReasonOptions& options,
                 const TopkOptions& topk);

    std::string description() const override { return fmt::format("the {} most probable proofs", topk_.k); }
    std::size_t bytes() const override {
        return place_->size() * sizeof(std::uint32_t) + (exact_ ? exact_->of.diagrams.bytes() : 0);
    }

private:
    std::unique_ptr<PassState> make_state() const override { return std::make_unique<TopkPass>(); }
    std::uint64_t bytes_needed(std::size_t, Keep) const override { return 0; }
    void compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const override;
    void differentiate(const PassState& state, const InputBatch& seeds, const GradientRequest& wanted) const override;

    BoundingTask bounding_task() const { return {graph(), levels_, choices_, order_, atoms_}; }
    std::vector<Proved::Derivative> by_member(const WayProbabilities& by_way) const;
    std::vector<Proved> prove(const Chances& chances, bool with_derivatives) const;

    GraphLevels levels_;
    WorldsTask task_;
    RandomChoices choices_;
    TopkOptions topk_;
    std::shared_ptr<const std::vector<std::uint32_t>> place_;
    std::vector<std::uint32_t> order_;            // of the choices
    std::vector<std::uint32_t> place_of_choice_;  // in the order
    std::vector<std::uint32_t> atoms_;            // with functions: asked, observed and negated ones
    std::vector<std::uint32_t> function_;         // per atom: its place among them, or none
    std::vector<std::uint32_t> negated_;          // those whose negation something needs
    std::optional<JointBounds> exact_;            // if it fits the limits
};

TopkReasoner::TopkReasoner(ReasoningGraph outside, const GraphLevels& levels, WorldsTask task,
                           const ReasonOptions& options, const TopkOptions& topk)
    : GraphReasoner(proving_engine, std::move(outside), options, &levels), levels_(levels), task_(std::move(task)),
      choices_(graph(), task_), topk_(topk), order_(choice_orders(graph(), task_, choices_, OrderEffort::Quick)[0]),
      place_of_choice_(order_.size()), function_(graph().atom_count(), WorldsTask::none) {
    std::vector<std::uint32_t> place(graph().atom_count(), WorldsTask::none);
    for (std::size_t i = 0; i < task_.asked.size(); ++i) place[task_.asked[i]] = static_cast<std::uint32_t>(i);
    place_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(place));
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
        for (const GraphLiteral below : graph().dependencies(atom)) negate(below);
    if (std::optional<BoundedFunctions> functions = exact_functions(bounding_task(), topk_.bounding))
        exact_ = join_evidence(std::move(*functions), task_, function_);
}

std::vector<Proved::Derivative> TopkReasoner::by_member(const WayProbabilities& by_way) const {
    std::vector<Proved::Derivative> result;
    for (std::size_t place = 0; place < order_.size(); ++place) {
        const std::span<const RandomChoices::Member> members = choices_.members(order_[place]);
        for (std::size_t m = 0; m < members.size(); ++m)  // what this way gets, the way that nothing happens loses
            if (const double by = by_way[place][m + 1] - by_way[place][0]; by != 0) result.push_back({members[m], by});
    }
    return result;
}

std::vector<Proved> TopkReasoner::prove(const Chances& chances, bool with_derivatives) const {
    std::optional<JointBounds> own;
    if (!exact_) own = join_evidence(bounded_functions(bounding_task(), chances, topk_.bounding), task_, function_);
    const JointBounds& functions = exact_ ? *exact_ : *own;
    ConditionalBounds conditional(functions, way_probabilities(choices_, order_, chances));
    require_that(conditional.evidence() > 0, "the evidence has probability 0");
    const bool negations_exact = std::ranges::all_of(
        negated_, [&](std::uint32_t atom) { return functions.of.functions[function_[atom]].exact(); });
    const std::vector<ValueBounds> propagated = propagate_bounds(graph(), levels_, choices_, chances);
    WorldProofSearch search(
        graph(), levels_, choices_, chances,
        [&](std::uint32_t atom) { return conditional.chance_of_not(function_[atom]); }, topk_.search);
    std::vector<Proved> result;
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
        Proved& one = result.emplace_back();
        one.bounds = conditional.bounds(i, known, topk_.tightest);
        one.value = conditional.value(known);
        one.proofs = proofs.counted();
        if (!with_derivatives) continue;
        WayProbabilities by_way = conditional.ways();
        for (std::vector<double>& ways : by_way) std::ranges::fill(ways, 0.0);
        proofs.add_derivatives(1 / conditional.evidence(), by_way);
        conditional.add_evidence_derivatives(-one.value / conditional.evidence(), by_way);
        one.derivatives = by_member(by_way);
    }
    return result;
}

void TopkReasoner::compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const {
    auto& pass = static_cast<TopkPass&>(state);
    require_random_inputs(inputs, graph(), task_);
    require_certain_weights(pass.weights, task_);
    const std::span<const float> start = initial.empty() ? graph().initial.span() : initial;
    pass.place = place_;
    pass.inputs = inputs;
    pass.initial.assign(start.begin(), start.end());
    if (initial.empty()) {
        for (const auto& [atom, probability] : task_.chances) pass.initial[atom] = probability;
    }
    pass.found.assign(inputs.examples(), {});
    parallel_chunks(options().threads, inputs.examples(), [&](std::size_t e) {
        const std::vector<double> values = pass.initials(e);
        try {
            pass.found[e] = prove({values, pass.weights}, keeps_backward(pass.kept));
        } catch (const ReasonError& error) {
            throw ReasonError(fmt::format("example {}: {}", e, error.what()));
        }
    });
}

void TopkReasoner::differentiate(const PassState& state, const InputBatch& seeds, const GradientRequest& wanted) const {
    const auto& pass = static_cast<const TopkPass&>(state);
    for (std::size_t e = 0; e < pass.examples; ++e) {
        std::vector<double> by_atom(graph().atom_count(), 0.0);
        std::vector<double> by_clause(graph().clause_count(), 0.0);
        for (std::size_t i = 0; i < seeds.atoms(e).size(); ++i) {
            for (const Proved::Derivative& one : pass.proved(seeds.atoms(e)[i], e).derivatives)
                (one.by.is_clause ? by_clause : by_atom)[one.by.number] += seeds.value(e, i) * one.of_value;
        }
        write_gradients(
            e, graph(), wanted, [&](std::uint32_t atom) { return by_atom[atom]; }, by_clause);
    }
}

}  // namespace

std::unique_ptr<GraphReasoner> make_topk_reasoner(ReasoningGraph graph, const GraphLevels& levels, WorldsTask task,
                                                  const ReasonOptions& options, const TopkOptions& topk) {
    require_that(!options.steps.has_value(), "proofs are not counted step by step: leave out the steps");
    require_that(topk.k >= 1, "0 proofs where at least one is needed");
    return std::make_unique<TopkReasoner>(std::move(graph), levels, std::move(task), options, topk);
}

}  // namespace neumann
