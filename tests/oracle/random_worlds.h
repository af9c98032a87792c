// Random graphs with random facts and clauses, and the distribution semantics by its definition: all their worlds, one
// after the other. They have cycles, negation, annotated disjunctions, exclusive facts and evidence.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "graph/graph.h"
#include "worlds/random_choices.h"

namespace neumann::oracle {

// A random graph in a form of its own, with what is random in it.
struct Puzzle {
    // One of several things happens, or none: member m with the probability of a fact or of a clause.
    struct Choice {
        struct Member {
            bool is_clause;
            std::uint32_t number;                  // of the atom or the clause
            std::vector<std::uint32_t> instances;  // of a clause: those that it switches on, in Puzzle::instances
        };
        std::vector<Member> members;
    };

    struct Instance {
        std::uint32_t clause;
        std::uint32_t head;
        std::vector<GraphLiteral> body;
    };

    std::uint32_t atoms = 0;
    std::vector<std::uint32_t> stratum;  // per atom
    std::vector<Instance> instances;
    std::vector<double> weight;   // per clause
    std::vector<double> initial;  // per atom; floats
    std::vector<OptionalIndex> disjunction;
    std::vector<std::vector<std::uint32_t>> exclusive;
    std::vector<GraphLiteral> observed;
    std::vector<Choice> choices;

    std::size_t worlds() const {
        std::size_t count = 1;
        for (const Choice& choice : choices) count *= choice.members.size() + 1;
        return count;
    }
};

Puzzle random_puzzle(Rng& rng);
ReasoningGraph graph_of(const Puzzle& puzzle);
WorldsTask task_of(const Puzzle& puzzle);  // asks for all atoms

// The distribution semantics, as it is defined.
class WorldEnumeration {
public:
    explicit WorldEnumeration(const Puzzle& puzzle) : puzzle_(puzzle), on_(puzzle.instances.size()) {}

    // Calls `each` with every world that agrees with the evidence: its probability, and which atoms hold.
    using Each = std::function<void(double probability, const std::vector<bool>& holds)>;
    void for_each(const std::vector<double>& weight, const std::vector<double>& initial, const Each& each);

    // The probability of the evidence, then those of all atoms together with it.
    std::vector<double> joint(const std::vector<double>& weight, const std::vector<double>& initial);
    // Of all atoms, given the evidence; nothing if that cannot be true.
    std::optional<std::vector<double>> conditional(const std::vector<double>& weight,
                                                   const std::vector<double>& initial);

private:
    void decide(std::size_t choice, double probability);
    void set(const Puzzle::Choice::Member& member, bool to);
    void derive(double probability);

    const Puzzle& puzzle_;
    const std::vector<double>* weight_ = nullptr;
    const std::vector<double>* initial_ = nullptr;
    const Each* each_ = nullptr;
    std::vector<bool> on_;
    std::vector<bool> given_;
};

}  // namespace neumann::oracle
