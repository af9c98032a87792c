// Independent choices of the distribution semantics: the random events of a graph, which each world decides. A
// probabilistic fact is a choice of its own, and so is each instance of a clause with a probability; atoms that exclude
// each other, and the heads of an annotated disjunction for one instance of its body, are the outcomes of one choice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/optional_index.h"
#include "graph/graph.h"
#include "reason/input_batch.h"
#include "reason/reason_error.h"

namespace neumann {

// The probabilities of atoms that exclude each other are more than 1 together.
struct TooProbable : ReasonError {
    TooProbable(std::vector<std::uint32_t> which, double together);
    std::vector<std::uint32_t> atoms;
    double sum;
    std::optional<std::size_t> example = {};  // of the batch
};

// Initial values of atoms, in single or double precision.
class InitialValues {
public:
    InitialValues(std::span<const float> values) : single_(values) {}      // NOLINT: it is one
    InitialValues(std::span<const double> values) : double_(values) {}     // NOLINT
    InitialValues(const std::vector<float>& values) : single_(values) {}   // NOLINT
    InitialValues(const std::vector<double>& values) : double_(values) {}  // NOLINT
    double operator[](std::uint32_t atom) const {
        return double_.empty() ? static_cast<double>(single_[atom]) : double_[atom];
    }

private:
    std::span<const float> single_;
    std::span<const double> double_;
};

// The probabilities of a graph's facts and clauses in one example.
struct Chances {
    InitialValues initial;           // per atom
    std::span<const double> weight;  // per clause
};

inline constexpr double most_rounding = 1e-5;  // of a sum of probabilities that may be 1 at most

// A question about a graph under the distribution semantics.
struct WorldsTask {
    std::vector<std::uint32_t> asked;    // atoms
    std::vector<GraphLiteral> observed;  // evidence: literals that hold
    std::vector<bool> random_atom;       // per atom: its initial value is the probability of a fact
    // Probabilities of random atoms in higher precision than the graph's floats: atom and probability.
    std::vector<std::pair<std::uint32_t, double>> chances;
    std::vector<bool> random_clause;  // per clause: its weight is the probability of each instance
    // Groups of random atoms of which at most one holds.
    std::vector<std::vector<std::uint32_t>> exclusive;
    // Per clause: the annotated disjunction that it is a head of. Instances with the same body belong together.
    std::vector<OptionalIndex> disjunction;

    // The weights of all clauses, if they will not change and nothing is differentiated by them: a disjunction whose
    // weights add up to 1 always has a head then. Empty: they may change.
    std::vector<double> fixed_weights;

    bool separate = false;  // choices with the same parameters have distributions of their own in a circuit

    // Whether both have the same worlds, for any queries.
    bool same_worlds(const WorldsTask& other) const {
        return observed == other.observed && random_atom == other.random_atom && random_clause == other.random_clause &&
               exclusive == other.exclusive && disjunction == other.disjunction;
    }
};

// Throws ReasonError if an example gives another value to an atom that is certain: it is no choice.
void require_random_inputs(const InputBatch& inputs, const ReasoningGraph& graph, const WorldsTask& task);
// Throws ReasonError for a weight other than 1 of a clause that is not random, and for other weights than fixed ones.
void require_certain_weights(std::span<const double> weights, const WorldsTask& task);

// Throws ReasonError if the weights of a disjunction's clauses add up to more than 1.
void require_disjunctions(std::span<const double> weights, const WorldsTask& task);

inline constexpr double rounding_of_sums = 1e-12;  // of weights that add up to 1 as they were written

class RandomChoices {
public:
    // Those on which something that is asked or observed depends.
    RandomChoices(const ReasoningGraph& graph, const WorldsTask& task);

    // Way 0 is that none of the members happens, way i + 1 that member i does.
    struct Member {
        bool is_clause = false;    // its probability is the weight of a clause, else the initial value of an atom
        std::uint32_t number = 0;  // of the clause or atom
        friend bool operator==(const Member&, const Member&) = default;
    };
    struct Outcome {
        OptionalIndex choice;
        std::uint32_t way = 0;
        bool random() const { return choice.has_value(); }
    };
    std::size_t count() const { return members_begin_.size() - 1; }
    std::span<const Member> members(std::uint32_t choice) const {
        return std::span(members_).subspan(members_begin_[choice], members_begin_[choice + 1] - members_begin_[choice]);
    }
    // Of the ways of a choice: their sum is 1. Throws ReasonError if members that exclude each other have more
    // together.
    void probabilities(std::uint32_t choice, const Chances& chances, std::vector<double>& to) const;

    bool separate() const { return separate_; }
    // Whether way 0 has probability 0, for good.
    bool complete(std::uint32_t choice) const { return complete_[choice]; }

    // On which outcome a fact or an instance depends; not random: a fact is given, an instance holds with its body.
    Outcome of_atom(std::uint32_t atom) const { return atom_outcome_[atom]; }
    Outcome of_conjunction(std::uint32_t conjunction) const { return conjunction_outcome_[conjunction]; }

    // Atoms on which something that is asked or observed depends, ascending.
    std::span<const std::uint32_t> atoms() const { return atoms_; }

private:
    void find_atoms(const ReasoningGraph& graph, const WorldsTask& task);
    void add_exclusive(const WorldsTask& task);
    void add_facts(const WorldsTask& task);
    void add_instances(const ReasoningGraph& graph, const WorldsTask& task);
    void find_complete(const WorldsTask& task);
    void begin_choice() { members_begin_.push_back(members_begin_.back()); }
    Outcome add_member(Member member);

    std::vector<std::uint32_t> atoms_;
    std::vector<bool> needed_;  // per atom
    std::vector<Outcome> atom_outcome_;
    std::vector<Outcome> conjunction_outcome_;
    std::vector<std::uint32_t> members_begin_{0};
    std::vector<Member> members_;
    std::vector<bool> complete_;  // per choice
    bool separate_ = false;
};

}  // namespace neumann
