// Types and bounds as goals and facts: languages without types need them written out.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "base/diagnostics.h"
#include "logic/program.h"

namespace neumann::interchange {

// Which variables of a clause have values, from goals that have any.
class BoundVariables {
public:
    BoundVariables(const Program& program, const Clause& clause);

    void bind(TermId term);
    void bind(const Atom& atom) {
        for (const TermId arg : atom.args) bind(arg);
    }
    void bind_variable(std::uint32_t variable) { bound_[variable] = true; }
    bool has(std::uint32_t variable) const { return bound_[variable]; }
    bool is_bound(TermId term) const;
    bool is_bound(const Atom& atom) const;
    // Passes values on through equations and computations, until nothing is new.
    void follow();
    // Whether a condition can be evaluated now, from the left to the right.
    bool is_ready(const Constraint& constraint) const;
    // The variables that have to range over their types, so that all others get values from them.
    std::vector<std::uint32_t> ranging() const;

private:
    bool is_computed(std::uint32_t variable) const;

    const Program& program_;
    const Clause& clause_;
    std::vector<bool> bound_;
};

// The variables of the aggregate's goal that occur elsewhere in the clause: they make its groups.
std::set<std::uint32_t> group_variables(const Program& program, const Clause& clause, const Aggregate& aggregate);
void for_each_variable_of(const Program& program, const Atom& atom, const std::function<void(std::uint32_t)>& visit);

// Pairs of arguments that differ because the predicate is declared distinct: their variables and terms.
std::vector<Constraint> distinct_arguments(const Program& program, const Clause& clause);

// The facts that count: the last of duplicates, within the bounds of types, after evidence. Evidence may
// add some.
struct PlainFact {
    PredicateId predicate;
    std::vector<TermId> args;
    double probability = 1;
    Span span;
};
std::vector<PlainFact> effective_facts(const Program& program, bool apply_evidence);

// Whether the predicate, or one that it needs, is defined by a negation.
bool needs_negation(const Program& program, PredicateId predicate);

// Declared predicates without facts and clauses: all their atoms are false.
std::vector<PredicateId> undefined_predicates(const Program& program);

// A term of the head that the body does not have, of a type with bounds: other languages would build it without end.
TermId built_without_end(const Program& program, const Clause& clause);

}  // namespace neumann::interchange
