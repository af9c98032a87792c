#include "logic/substitution.h"

#include <utility>

namespace neumann {

TermId Substitution::apply(TermTable& terms, TermId term) const {
    if (terms.is_ground(term)) return term;
    if (terms.kind(term) == TermKind::Variable) {
        const TermId bound = bindings_[terms.variable_index(term)];
        return bound.is_none() ? term : apply(terms, bound);
    }
    std::vector<TermId> args(terms.args(term).begin(), terms.args(term).end());
    for (TermId& arg : args) arg = apply(terms, arg);
    return terms.compound(terms.functor_of(term), args);
}

Atom Substitution::apply(TermTable& terms, const Atom& atom) const {
    Atom result = atom;
    for (TermId& arg : result.args) arg = apply(terms, arg);
    return result;
}

bool Substitution::unify(TermTable& terms, TermId a, TermId b) {
    a = apply(terms, a);
    b = apply(terms, b);
    if (a == b) return true;
    if (terms.kind(b) == TermKind::Variable) std::swap(a, b);
    if (terms.kind(a) == TermKind::Variable) {
        const std::uint32_t index = terms.variable_index(a);
        bool occurs = false;
        for_each_variable(terms, b, [&](std::uint32_t v) { occurs = occurs || v == index; });
        if (occurs) return false;
        bindings_[index] = b;
        return true;
    }
    if (terms.kind(a) != TermKind::Compound || terms.kind(b) != TermKind::Compound ||
        terms.functor_of(a) != terms.functor_of(b)) {
        return false;
    }
    for (std::size_t i = 0; i < terms.args(a).size(); ++i) {
        if (!unify(terms, terms.args(a)[i], terms.args(b)[i])) return false;
    }
    return true;
}

std::optional<SolvedClause> solve_constraints(TermTable& terms, const Clause& clause) {
    Substitution solution(clause.variables.size());
    for (const Constraint& c : clause.constraints) {
        if (c.equal && !solution.unify(terms, c.left, c.right)) return std::nullopt;
    }
    SolvedClause solved;
    solved.head = solution.apply(terms, clause.head);
    for (const Atom& goal : clause.body) solved.body.push_back(solution.apply(terms, goal));
    for (Constraint c : clause.constraints) {
        if (c.equal) continue;
        c.left = solution.apply(terms, c.left);
        c.right = solution.apply(terms, c.right);
        if (c.left == c.right) return std::nullopt;
        const bool both_ground = terms.is_ground(c.left) && terms.is_ground(c.right);
        if (!both_ground) solved.disequations.push_back(c);  // two different ground terms always differ
    }
    return solved;
}

}  // namespace neumann
