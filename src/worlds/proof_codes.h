// Codes of the parts of proofs: one number for each outcome of a choice and for each atom that must not hold. Codes
// of one choice are neighbours, so that proofs are ascending lists.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "worlds/random_choices.h"
#include "worlds/world_proofs.h"

namespace neumann {

class ProofCodes {
public:
    // Of what is asked and observed. Borrows the choices.
    ProofCodes(const ReasoningGraph& graph, const WorldsTask& task, const RandomChoices& choices);

    std::size_t count() const { return choice_.size(); }
    OptionalIndex of(RandomChoices::Outcome outcome) const {
        return outcome.random() ? OptionalIndex(first_[*outcome.choice] + outcome.way) : std::nullopt;
    }
    // That the atom does not hold. A fact that is a choice of its own has an outcome for it.
    std::uint32_t of_negated(std::uint32_t atom) const { return *of_negated_[atom]; }
    // Whose codes exclude each other. Atoms that must not hold count as choices with one outcome.
    std::uint32_t choice(std::uint32_t code) const { return choice_[code]; }
    bool is_outcome(std::uint32_t code) const { return code < outcomes_; }
    bool all_outcomes(std::span<const std::uint32_t> codes) const { return codes.empty() || is_outcome(codes.back()); }
    std::uint32_t way(std::uint32_t code) const { return code - first_[choice_[code]]; }
    bool has_negations() const { return !negated_.empty(); }  // that are no outcomes

    // Probabilities of all codes.
    std::vector<double> chances(const Chances& chances,
                                const std::function<double(std::uint32_t atom)>& chance_of_not) const;
    // Those of a choice among numbers of all codes.
    std::span<const double> of_choice(std::uint32_t choice, std::span<const double> all) const {
        return all.subspan(first_[choice], choices_.members(choice).size() + 1);
    }
    WorldProof proof(std::span<const std::uint32_t> codes) const;
    std::vector<std::uint32_t> codes(const WorldProof& proof) const;
    // Whether two of the codes, which are ascending, exclude each other.
    bool contradict(std::span<const std::uint32_t> codes) const;

private:
    const RandomChoices& choices_;
    std::vector<std::uint32_t> first_;  // per choice
    std::vector<std::uint32_t> choice_;
    std::vector<OptionalIndex> of_negated_;  // per atom
    std::vector<std::uint32_t> negated_;
    std::uint32_t outcomes_ = 0;
};

}  // namespace neumann
