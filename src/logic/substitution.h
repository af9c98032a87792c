// Substitutions and unification over the variables of one clause.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "logic/program.h"

namespace neumann {

// Bindings of clause variables; an unbound variable stands for itself.
class Substitution {
public:
    explicit Substitution(std::size_t variables) : bindings_(variables) {}

    void bind(std::uint32_t variable, TermId term) { bindings_[variable] = term; }

    // Bound variables replaced by their terms, repeatedly, until none is left.
    TermId apply(TermTable& terms, TermId term) const { return replace(terms, term, true); }
    Atom apply(TermTable& terms, const Atom& atom) const { return replace(terms, atom, true); }
    Literal apply(TermTable& terms, const Literal& literal) const {
        return {replace(terms, literal.atom, true), literal.negated};
    }
    // Each variable replaced once: the bindings are a renaming.
    TermId rename(TermTable& terms, TermId term) const { return replace(terms, term, false); }
    Atom rename(TermTable& terms, const Atom& atom) const { return replace(terms, atom, false); }
    Literal rename(TermTable& terms, const Literal& literal) const {
        return {replace(terms, literal.atom, false), literal.negated};
    }

    // Extends the substitution so that both terms become equal; false if that is impossible (with occurs check).
    bool unify(TermTable& terms, TermId a, TermId b);

private:
    // Terms share parts, and a few equations can make a term whose tree is astronomically large: every part is handled
    // once.
    using Done = std::unordered_map<TermId, TermId>;
    TermId replace(TermTable& terms, TermId term, bool deep) const;
    Atom replace(TermTable& terms, const Atom& atom, bool deep) const;
    TermId replace(TermTable& terms, TermId term, bool deep, Done& done) const;

    std::vector<TermId> bindings_;
};

// A clause with solved equations: only literals, disequations and arithmetic remain.
struct SolvedClause {
    Atom head;
    std::vector<Literal> body;
    std::vector<Constraint> disequations;
    std::vector<Constraint> arithmetic;  // in the order of the clause
};

// Nothing if the equations have no solution or a disequation can never hold: then the clause never fires.
std::optional<SolvedClause> solve_constraints(TermTable& terms, const Clause& clause);

// The number of symbols in the clause written out, at most `limit`.
std::size_t written_size(const TermTable& terms, const SolvedClause& clause, std::size_t limit);

// Calls visit(index) for every occurrence of a variable in the term.
template <class Visit>
void for_each_variable(const TermTable& terms, TermId term, Visit&& visit) {
    if (terms.is_ground(term)) return;
    if (terms.kind(term) == TermKind::Variable) return visit(terms.variable_index(term));
    for (TermId arg : terms.args(term)) for_each_variable(terms, arg, visit);
}

}  // namespace neumann
