// Search for the best derivation of an atom and of all atoms under it: the reasoner's own schedule run once more on the
// part of the graph that can matter, with a maximum in the place of every OR. Its values therefore never exceed those
// of the reasoner, and equal them where the reasoner's OR is a maximum too.
//
// Every improvement is recorded with the moment at which it was found. A derivation made at one moment rests on values
// of earlier moments only, so following it back ends, on cycles too. And since no AND exceeds its operands, a strict
// improvement never rests on the atom itself: no atom stands above itself in a best derivation. All this takes a
// monotone graph, such as proofs/positive_graph.h makes of any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/optional_index.h"
#include "graph/graph.h"
#include "reason/schedule.h"
#include "reason/tnorm.h"

namespace neumann {

struct DerivationTask {
    std::uint32_t root = 0;
    TNorm norm = tnorm::product;
    std::span<const double> weights;  // per clause
    std::span<const float> initial;   // per atom
    std::span<const float> ceiling;   // upper bound of each atom's derivations; empty: not known
    // Per phase of the schedule: how often it is updated. Empty: cyclic ones until nothing changes.
    std::span<const std::uint32_t> rounds;
    bool only_best = false;  // derivations of the root other than the best need not be found
};

class Derivations {
public:
    using Moment = std::uint64_t;
    static constexpr std::uint32_t given = UINT32_MAX;  // in the place of a conjunction: the initial value

    // Throws std::invalid_argument for a graph with negated literals.
    Derivations(const ReasoningGraph& graph, const Schedule& schedule);  // borrows both

    // Clears earlier results. The task's arrays are borrowed until the next call.
    void find(const DerivationTask& task);

    const ReasoningGraph& graph() const { return graph_; }
    const DerivationTask& task() const { return task_; }
    Moment end() const { return end_; }

    // The best derivation step of an atom at a moment. A value of 0 means that there is none.
    struct Way {
        double value = 0;
        std::uint32_t conjunction = given;
        Moment before = 0;  // the moment at which its premises are had
    };
    Way best(std::uint32_t atom, Moment moment) const;

    // The conjunctions that may derive the atom; empty for an atom that was not reached.
    std::span<const std::uint32_t> conjunctions_of(std::uint32_t atom) const;
    // The moment at which the premises of a conjunction with this head are to be had, if the head is to be had at
    // `moment`; nothing if it is too early for any derivation.
    std::optional<Moment> before(std::uint32_t atom, Moment moment) const;

private:
    struct Improvement {
        Moment moment;
        double value;
        std::uint32_t conjunction;
        OptionalIndex previous;  // of the same atom
    };
    struct Reached {  // an atom that can matter
        std::uint32_t atom;
        std::uint32_t first_conjunction;  // in kept_
        std::uint32_t conjunctions;
        std::uint32_t latest;  // in improvements_
        double value;
    };
    struct Extent {  // of a phase, in moments
        Moment begin = 0;
        Moment end = 0;
        bool unlimited = false;
    };
    double ceiling_of(std::uint32_t conjunction, double floor) const;
    double greedy_bound() const;
    void reach(double least);
    void run_phases();
    bool update(std::span<const std::uint32_t> places, Moment moment);
    void forget();

    const ReasoningGraph& graph_;
    const Schedule& schedule_;
    std::vector<OptionalIndex> phase_of_;  // per atom; none: nothing derives it
    DerivationTask task_;
    Moment end_ = 0;
    std::vector<OptionalIndex> place_of_;  // per atom: in reached_
    std::vector<Reached> reached_;
    std::vector<std::uint32_t> kept_;  // conjunctions
    std::vector<Improvement> improvements_;
    std::vector<Extent> extents_;  // per phase
    // Of one round, applied after it: all atoms of a phase are updated from the values before.
    struct Staged {
        std::uint32_t place;
        std::uint32_t conjunction;
        double value;
    };
    std::vector<Staged> staged_;
};

}  // namespace neumann
