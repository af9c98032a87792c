// Substitutions and unification over the variables of one clause.
#pragma once

#include <optional>
#include <vector>

#include "logic/program.h"

namespace neumann {

// Bindings of clause variables; an unbound variable stands for itself.
class Substitution {
public:
    explicit Substitution(std::size_t variables) : bindings_(variables) {}

    TermId apply(TermTable& terms, TermId term) const;
    Atom apply(TermTable& terms, const Atom& atom) const;
    // Extends the substitution so that both terms become equal; false if that is impossible (with occurs check).
    bool unify(TermTable& terms, TermId a, TermId b);

private:
    std::vector<TermId> bindings_;
};

// A clause whose equations are solved: what is left is atoms and disequations.
struct SolvedClause {
    Atom head;
    std::vector<Atom> body;
    std::vector<Constraint> disequations;
};

// Nothing if the equations have no solution or a disequation can never hold: then the clause never fires.
std::optional<SolvedClause> solve_constraints(TermTable& terms, const Clause& clause);

// Calls visit(index) for every occurrence of a variable in the term.
template <class Visit>
void for_each_variable(const TermTable& terms, TermId term, Visit&& visit) {
    if (terms.is_ground(term)) return;
    if (terms.kind(term) == TermKind::Variable) return visit(terms.variable_index(term));
    for (TermId arg : terms.args(term)) for_each_variable(terms, arg, visit);
}

}  // namespace neumann
