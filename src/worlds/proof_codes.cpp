#include "worlds/proof_codes.h"

#include <algorithm>

namespace neumann {

ProofCodes::ProofCodes(const ReasoningGraph& graph, const WorldsTask& task, const RandomChoices& choices)
    : choices_(choices), of_negated_(graph.atom_count()) {
    for (std::uint32_t choice = 0; choice < choices.count(); ++choice) {
        first_.push_back(static_cast<std::uint32_t>(choice_.size()));
        choice_.insert(choice_.end(), choices.members(choice).size() + 1, choice);
    }
    outcomes_ = static_cast<std::uint32_t>(choice_.size());
    const auto negate = [&](std::uint32_t atom) {
        if (of_negated_[atom]) return;
        const RandomChoices::Outcome fact = choices.of_atom(atom);
        const bool is_leaf = graph.in_begin[atom] == graph.in_begin[atom + 1];
        if (is_leaf && fact.random() && choices.members(*fact.choice).size() == 1) {
            of_negated_[atom] = first_[*fact.choice];
            return;
        }
        of_negated_[atom] = static_cast<std::uint32_t>(choice_.size());
        choice_.push_back(static_cast<std::uint32_t>(choices.count() + negated_.size()));
        negated_.push_back(atom);
    };
    for (const std::uint32_t atom : choices.atoms())
        for (const GraphLiteral below : graph.dependencies(atom))
            if (below.negated()) negate(below.atom());
    for (const GraphLiteral literal : task.observed)
        if (literal.negated()) negate(literal.atom());
}

std::vector<double> ProofCodes::chances(const Chances& chances,
                                        const std::function<double(std::uint32_t atom)>& chance_of_not) const {
    std::vector<double> all;
    all.reserve(count());
    std::vector<double> ways;
    for (std::uint32_t choice = 0; choice < choices_.count(); ++choice) {
        choices_.probabilities(choice, chances, ways);
        all.insert(all.end(), ways.begin(), ways.end());
    }
    for (const std::uint32_t atom : negated_) all.push_back(chance_of_not(atom));
    return all;
}

WorldProof ProofCodes::proof(std::span<const std::uint32_t> codes) const {
    WorldProof result;
    for (const std::uint32_t code : codes) {
        if (is_outcome(code)) {
            result.outcomes.push_back({choice(code), way(code)});
        } else {
            result.negated.push_back(negated_[code - outcomes_]);
        }
    }
    std::ranges::sort(result.negated);
    return result;
}

std::vector<std::uint32_t> ProofCodes::codes(const WorldProof& proof) const {
    std::vector<std::uint32_t> result;
    for (const RandomChoices::Outcome outcome : proof.outcomes) result.push_back(*of(outcome));
    for (const std::uint32_t atom : proof.negated) result.push_back(of_negated(atom));
    std::ranges::sort(result);
    return result;
}

bool ProofCodes::contradict(std::span<const std::uint32_t> codes) const {
    return std::ranges::adjacent_find(codes, {}, [&](std::uint32_t code) { return choice(code); }) != codes.end();
}

}  // namespace neumann
