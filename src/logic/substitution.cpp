#include "logic/substitution.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace neumann {

namespace {

bool occurs_in(const TermTable& terms, std::uint32_t variable, TermId term, std::unordered_set<TermId>& seen) {
    if (terms.is_ground(term) || !seen.insert(term).second) return false;
    if (terms.kind(term) == TermKind::Variable) return terms.variable_index(term) == variable;
    for (TermId arg : terms.args(term)) {
        if (occurs_in(terms, variable, arg, seen)) return true;
    }
    return false;
}

}  // namespace

TermId Substitution::replace(TermTable& terms, TermId term, bool deep, Done& done) const {
    if (terms.is_ground(term)) return term;
    if (const auto known = done.find(term); known != done.end()) return known->second;
    TermId result = term;
    if (terms.kind(term) == TermKind::Variable) {
        const TermId bound = bindings_[terms.variable_index(term)];
        if (!bound.is_none()) result = deep ? replace(terms, bound, deep, done) : bound;
    } else {
        std::vector<TermId> args(terms.args(term).begin(), terms.args(term).end());
        for (TermId& arg : args) arg = replace(terms, arg, deep, done);
        result = terms.compound(terms.functor_of(term), args);
    }
    done.emplace(term, result);
    return result;
}

TermId Substitution::replace(TermTable& terms, TermId term, bool deep) const {
    Done done;
    return replace(terms, term, deep, done);
}

Atom Substitution::replace(TermTable& terms, const Atom& atom, bool deep) const {
    Atom result = atom;
    for (TermId& arg : result.args) arg = replace(terms, arg, deep);
    return result;
}

bool Substitution::unify(TermTable& terms, TermId a, TermId b) {
    a = apply(terms, a);
    b = apply(terms, b);
    if (a == b) return true;
    if (terms.kind(b) == TermKind::Variable) std::swap(a, b);
    if (terms.kind(a) == TermKind::Variable) {
        const std::uint32_t index = terms.variable_index(a);
        std::unordered_set<TermId> seen;
        if (occurs_in(terms, index, b, seen)) return false;
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
        if (c.comparison == Comparison::Equal && !solution.unify(terms, c.left, c.right)) return std::nullopt;
    }
    SolvedClause solved;
    solved.head = solution.apply(terms, clause.head);
    for (const Literal& goal : clause.body) solved.body.push_back(solution.apply(terms, goal));
    for (Constraint c : clause.constraints) {
        if (c.comparison == Comparison::Equal) continue;
        c.left = solution.apply(terms, c.left);
        c.right = solution.apply(terms, c.right);
        if (is_arithmetic(c.comparison)) {
            solved.arithmetic.push_back(c);
            continue;
        }
        if (c.left == c.right) return std::nullopt;
        const bool both_ground = terms.is_ground(c.left) && terms.is_ground(c.right);
        if (!both_ground) solved.disequations.push_back(c);  // two different ground terms always differ
    }
    return solved;
}

std::size_t written_size(const TermTable& terms, const SolvedClause& clause, std::size_t limit) {
    std::unordered_map<TermId, std::size_t> sizes;
    const auto size_of = [&](auto&& self, TermId term) -> std::size_t {
        if (const auto known = sizes.find(term); known != sizes.end()) return known->second;
        std::size_t size = 1;
        for (TermId arg : terms.args(term)) size = std::min(limit, size + self(self, arg));
        sizes.emplace(term, size);
        return size;
    };
    std::size_t total = 0;
    const auto add = [&](TermId term) { total = std::min(limit, total + size_of(size_of, term)); };
    std::ranges::for_each(clause.head.args, add);
    for (const Literal& goal : clause.body) std::ranges::for_each(goal.atom.args, add);
    for (const auto* conditions : {&clause.disequations, &clause.arithmetic}) {
        for (const Constraint& c : *conditions) {
            add(c.left);
            add(c.right);
        }
    }
    return total;
}

}  // namespace neumann
