#include "proofs/proof.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace neumann {
namespace {

// Builds a proof from below: premises first, equal steps once.
class ProofBuilder {
public:
    explicit ProofBuilder(const Derivations& derivations)
        : derivations_(derivations), task_(derivations.task()), graph_(derivations.graph()) {}

    std::uint32_t add(std::uint32_t atom, std::uint32_t conjunction, std::vector<std::uint32_t> premises) {
        const auto [place, added] =
            known_.try_emplace({atom, conjunction, premises}, static_cast<std::uint32_t>(steps_.size()));
        if (!added) return place->second;
        double value = static_cast<double>(task_.initial[atom]);
        if (conjunction != Derivations::given) {
            value = task_.weights[graph_.clause[conjunction]];
            for (const std::uint32_t premise : premises) value = task_.norm(value, steps_[premise].value);
        }
        steps_.push_back({atom, conjunction, value, std::move(premises)});
        return place->second;
    }

    // Numbered as a reader meets them.
    Proof finish(std::uint32_t root) {
        Proof proof;
        std::vector<std::optional<std::uint32_t>> numbers(steps_.size());
        std::vector<std::uint32_t> open{root};
        while (!open.empty()) {
            const std::uint32_t step = open.back();
            open.pop_back();
            if (numbers[step]) continue;
            numbers[step] = static_cast<std::uint32_t>(proof.steps.size());
            proof.steps.push_back(steps_[step]);
            for (auto premise = steps_[step].premises.rbegin(); premise != steps_[step].premises.rend(); ++premise)
                open.push_back(*premise);
        }
        for (ProofStep& step : proof.steps) {
            for (std::uint32_t& premise : step.premises) premise = *numbers[premise];
        }
        return proof;
    }

private:
    const Derivations& derivations_;
    const DerivationTask& task_;
    const ReasoningGraph& graph_;
    std::vector<ProofStep> steps_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::vector<std::uint32_t>>, std::uint32_t> known_;
};

// A step whose premises are being collected.
struct Frame {
    std::uint32_t atom;
    std::uint32_t conjunction;
    Derivations::Moment before;
    std::vector<std::uint32_t> premises;
};

}  // namespace

// By hand instead of by recursion: derivations may be as deep as terms.
Proof best_proof(const Derivations& derivations) {
    const ReasoningGraph& graph = derivations.graph();
    const std::uint32_t root = derivations.task().root;
    if (derivations.best(root, derivations.end()).value <= 0) return {};
    ProofBuilder builder(derivations);
    std::map<std::pair<std::uint32_t, Derivations::Moment>, std::uint32_t> done;  // by atom and moment of its way
    std::vector<Frame> frames;
    std::uint32_t finished = 0;
    const auto enter = [&](std::uint32_t atom, Derivations::Moment moment) {
        const Derivations::Way way = derivations.best(atom, moment);
        if (const auto found = done.find({atom, way.before});
            found != done.end() && way.conjunction != Derivations::given) {
            finished = found->second;
            return false;
        }
        frames.push_back({atom, way.conjunction, way.before, {}});
        return true;
    };
    enter(root, derivations.end());
    while (!frames.empty()) {
        Frame& top = frames.back();
        const bool complete =
            top.conjunction == Derivations::given || top.premises.size() == graph.literals(top.conjunction).size();
        if (!complete) {
            const std::uint32_t premise = graph.literals(top.conjunction)[top.premises.size()].atom();
            if (!enter(premise, top.before)) frames.back().premises.push_back(finished);
            continue;
        }
        finished = builder.add(top.atom, top.conjunction, std::move(top.premises));
        if (top.conjunction != Derivations::given) done.emplace(std::pair(top.atom, top.before), finished);
        frames.pop_back();
        if (!frames.empty()) frames.back().premises.push_back(finished);
    }
    return builder.finish(finished);
}

// Proofs of one stratum lead to negations of lower ones, so this ends; each negation is handled once.
void add_counter_proofs(Proof& proof, const PositiveGraph& positive,
                        const std::function<Proof(std::uint32_t atom)>& proof_of) {
    for (std::size_t i = 0; i < proof.steps.size(); ++i) {
        if (!positive.is_negation(proof.steps[i].atom)) continue;
        const Proof against = proof_of(positive.negated(proof.steps[i].atom));
        if (against.empty()) continue;
        const auto first = static_cast<std::uint32_t>(proof.steps.size());
        proof.steps[i].premises.push_back(first);
        for (ProofStep step : against.steps) {
            for (std::uint32_t& premise : step.premises) premise += first;
            proof.steps.push_back(std::move(step));
        }
    }
}

void revalue(Proof& proof, const ReasoningGraph& graph, TNorm norm, std::span<const double> weights,
             std::span<const float> initial) {
    // Premises first. Each step is pushed for a second visit before its premises are visited.
    std::vector<bool> seen(proof.steps.size());
    std::vector<std::pair<std::uint32_t, bool>> open{{0, false}};
    while (!open.empty()) {
        const auto [number, second] = open.back();
        open.pop_back();
        ProofStep& step = proof.steps[number];
        if (!second) {
            if (seen[number]) continue;
            seen[number] = true;
            open.emplace_back(number, true);
            for (const std::uint32_t premise : step.premises) open.emplace_back(premise, false);
            continue;
        }
        step.value = static_cast<double>(initial[step.atom]);
        if (step.conjunction == Derivations::given) continue;
        step.value = weights[graph.clause[step.conjunction]];
        for (const std::uint32_t premise : step.premises) step.value = norm(step.value, proof.steps[premise].value);
    }
}

Proof proof_of_choices(const Derivations& derivations, const std::vector<std::uint32_t>& choices) {
    const ReasoningGraph& graph = derivations.graph();
    ProofBuilder builder(derivations);
    std::vector<Frame> frames{{derivations.task().root, choices.front(), 0, {}}};
    std::size_t next = 1;
    std::uint32_t finished = 0;
    while (!frames.empty()) {
        Frame& top = frames.back();
        if (top.conjunction != Derivations::given && top.premises.size() < graph.literals(top.conjunction).size()) {
            frames.push_back({graph.literals(top.conjunction)[top.premises.size()].atom(), choices[next++], 0, {}});
            continue;
        }
        finished = builder.add(top.atom, top.conjunction, std::move(top.premises));
        frames.pop_back();
        if (!frames.empty()) frames.back().premises.push_back(finished);
    }
    return builder.finish(finished);
}

}  // namespace neumann
