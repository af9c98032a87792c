// Proofs under the distribution semantics: sets of outcomes of choices that imply an atom in every world,
// together with atoms that must not hold. A best-first search over partial derivations finds them nearly in the order
// of their probabilities: an open atom counts as its most probable derivation, which is exact if
// derivations share no choices, and each choice counts once.
//
// A contradictory proof, and one that contains another, adds nothing: neither is returned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "graph/levels.h"
#include "worlds/random_choices.h"

namespace neumann {

struct WorldProof {
    std::vector<RandomChoices::Outcome> outcomes;  // by choice
    std::vector<std::uint32_t> negated;            // atoms that must not hold, ascending
};

class WorldProofSearch {
public:
    // Where a search is given up.
    struct Settings {
        std::size_t partial = 400'000;                 // derivations begun
        std::uint64_t looks = std::uint64_t{1} << 25;  // at ways to derive an atom, and at proofs that were found
        bool finish_in_time = false;                   // fewer proofs when the time of the run is nearly over
    };
    // A lower bound of the probability that an atom does not hold; 0: not to be used.
    using ChanceOfNot = std::function<double(std::uint32_t atom)>;

    // For these probabilities. Borrows all of it.
    WorldProofSearch(const ReasoningGraph& graph, const GraphLevels& levels, const RandomChoices& choices,
                     const Chances& chances, ChanceOfNot chance_of_not, const Settings& settings);

    struct Found {
        std::vector<WorldProof> proofs;  // nearly the most probable first
        bool all = false;                // there are no others, but for those of probability 0
    };
    // So many proofs of all the literals together, as long as the settings allow.
    Found find(std::span<const GraphLiteral> goals, std::size_t wanted);

private:
    static constexpr std::uint32_t given = UINT32_MAX - 1;  // in the place of a conjunction: the fact
    struct Partial {                                        // the ways of `parent` and one more
        std::uint32_t parent;
        std::uint32_t way;
        std::uint32_t length;
        float key;  // the logarithm of its probability
    };
    struct Later {  // the order of the queue: the best, then the nearest to completion, then the first
        const std::vector<Partial>* partials;
        bool operator()(std::uint32_t a, std::uint32_t b) const;
    };

    void find_hopes();
    bool improve_hope(std::uint32_t atom);
    double hope_of_conjunction(std::uint32_t conjunction) const;
    bool is_certain(std::uint32_t conjunction) const;
    double chance(RandomChoices::Outcome outcome) const { return ways_[*outcome.choice][outcome.way]; }
    bool is_leaf(std::uint32_t atom) const { return graph_.in_begin[atom] == graph_.in_begin[atom + 1]; }

    // The current derivation.
    void clear();
    bool expand(std::span<const std::uint32_t> ways);
    bool need(GraphLiteral literal);
    bool decide(RandomChoices::Outcome outcome);
    bool take(std::uint32_t atom, std::uint32_t way);
    bool goes_round(std::uint32_t atom, std::uint32_t conjunction);
    double factor(RandomChoices::Outcome outcome) const;
    double factor(GraphLiteral literal) const;
    double factor_of_way(std::uint32_t atom, std::uint32_t way);
    bool says_nothing_new(const std::vector<WorldProof>& found);
    void add_proof(std::vector<WorldProof>& found);
    void branch(std::uint32_t from, std::uint32_t atom, std::vector<Partial>& partials);
    WorldProof proof() const;

    const ReasoningGraph& graph_;
    const GraphLevels& levels_;
    const RandomChoices& choices_;
    const Chances& chances_;
    ChanceOfNot chance_of_not_;
    Settings settings_;
    std::vector<std::vector<double>> ways_;  // per choice
    std::vector<bool> certain_;              // per atom: it holds in every world
    std::vector<double> hope_;               // per atom: the probability of its best derivation
    std::vector<double> not_;                // per atom that is negated somewhere: chance_of_not

    std::vector<OptionalIndex> way_of_;   // per choice; none: undecided
    std::vector<std::uint32_t> decided_;  // choices
    std::vector<OptionalIndex> taken_;    // per atom: the conjunction that derives it, or given
    std::vector<std::uint32_t> derived_;  // atoms
    std::vector<std::uint32_t> open_;     // atoms
    std::vector<std::uint32_t> negated_;  // atoms
    std::vector<std::uint32_t> left_;     // ways of the open atom at which a partial derivation branches
    std::vector<std::uint32_t> visited_;
    std::uint64_t work_ = 0;  // visited ways and proofs
    // The numbers of proofs that were found, each under one of its choices.
    std::vector<std::vector<std::uint32_t>> with_choice_;
    std::vector<std::uint32_t> without_choice_;
};

}  // namespace neumann
