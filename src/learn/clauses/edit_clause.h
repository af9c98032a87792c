// Edits of clauses: small changes, and the parts for them.
#pragma once

#include <cstdint>
#include <vector>

#include "logic/program.h"

namespace neumann {

// Calls visit(term) for the term and all its parts, outermost first.
template <class Visit>
void for_each_part(const TermTable& terms, TermId term, Visit&& visit) {
    visit(term);
    if (terms.kind(term) != TermKind::Compound) return;
    for (TermId arg : terms.args(term)) for_each_part(terms, arg, visit);
}

// Calls visit(atom) for the head and all body atoms.
template <class Visit>
void for_each_atom(const Clause& clause, Visit&& visit) {
    visit(clause.head);
    for (const Literal& literal : clause.body) visit(literal.atom);
}

inline PredicateId predicate_of(const Literal& literal) { return literal.atom.predicate; }

// All arguments of the clause and their parts, each once, in the order of their first occurrence.
std::vector<TermId> parts_of(const TermTable& terms, const Clause& clause);
// The variables among these terms.
std::vector<std::uint32_t> variables_among(const TermTable& terms, const std::vector<TermId>& parts);

// `from` replaced by `to` wherever it occurs. Literals that become the same are one.
TermId replace(TermTable& terms, TermId term, TermId from, TermId to);
Clause replace(TermTable& terms, Clause clause, TermId from, TermId to);

// A new variable of the clause, which does not occur in it yet.
TermId add_variable(TermTable& terms, Clause& clause, TypeId type);

}  // namespace neumann
