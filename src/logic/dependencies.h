// The dependency graph of predicates, with signs: which predicates the clauses of another use, and whether negated.
// Components, strata, and cycles through negation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/diagnostics.h"
#include "logic/program.h"

namespace neumann {

// The head of a clause depends on a literal of its body.
struct Dependency {
    PredicateId head;
    PredicateId goal;
    bool negated = false;      // also of an aggregate's goal, which must be complete before it is counted
    std::uint32_t clause = 0;  // the caller's number of the clause
    Span span = {};            // of the literal
    bool aggregated = false;   // the goal of an aggregate
};

class DependencyGraph {
public:
    DependencyGraph(std::size_t predicates, std::vector<Dependency> dependencies);

    // Predicates that depend on each other share a component; its number exceeds those of the components it depends on.
    std::uint32_t component(PredicateId predicate) const { return component_[predicate.index()]; }
    std::uint32_t component_count() const { return component_count_; }

    // Per predicate: the largest number of negations on a way down from it. Only if there is no negative cycle.
    std::vector<std::uint32_t> strata() const;

    // A shortest cycle through a negation, beginning with the negated literal: each dependency's goal is the head of
    // the next, the last one's the head of the first. Empty: there is none, the program is stratified.
    std::vector<Dependency> negative_cycle() const;

    // Per predicate: whether one of the given ones depends on it, themselves included.
    std::vector<bool> needed_for(std::span<const PredicateId> asked) const;

private:
    std::span<const Dependency> of(std::size_t predicate) const {
        return std::span(dependencies_).subspan(begin_[predicate], begin_[predicate + 1] - begin_[predicate]);
    }
    std::vector<Dependency> way(PredicateId from, PredicateId to) const;

    std::vector<Dependency> dependencies_;  // by head, else as given
    std::vector<std::size_t> begin_;        // per predicate, and the end
    std::vector<std::uint32_t> component_;  // per predicate
    std::uint32_t component_count_ = 0;
};

// Through the program's clauses; numbered as in Program::clauses.
DependencyGraph dependencies_of(const Program& program);

// A predicate that depends on its own negation has no well-defined value: returns true and reports an error with the
// whole cycle if there is one.
bool report_negative_cycle(const Program& program, Diagnostics& diagnostics);

}  // namespace neumann
