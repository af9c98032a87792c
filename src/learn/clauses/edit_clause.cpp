#include "learn/clauses/edit_clause.h"

#include <algorithm>
#include <utility>

namespace neumann {

std::vector<TermId> parts_of(const TermTable& terms, const Clause& clause) {
    std::vector<TermId> parts;
    for_each_atom(clause, [&](const Atom& atom) {
        for (TermId arg : atom.args) {
            for_each_part(terms, arg, [&](TermId part) {
                if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
            });
        }
    });
    return parts;
}

std::vector<std::uint32_t> variables_among(const TermTable& terms, const std::vector<TermId>& parts) {
    std::vector<std::uint32_t> variables;
    for (TermId part : parts) {
        if (terms.kind(part) == TermKind::Variable) variables.push_back(terms.variable_index(part));
    }
    return variables;
}

TermId replace(TermTable& terms, TermId term, TermId from, TermId to) {
    if (term == from) return to;
    if (terms.kind(term) != TermKind::Compound) return term;
    std::vector<TermId> args(terms.args(term).begin(), terms.args(term).end());
    for (TermId& arg : args) arg = replace(terms, arg, from, to);
    return terms.compound(terms.functor_of(term), args);
}

Clause replace(TermTable& terms, Clause clause, TermId from, TermId to) {
    for (TermId& arg : clause.head.args) arg = replace(terms, arg, from, to);
    std::vector<Literal> body;
    for (Literal& literal : clause.body) {
        for (TermId& arg : literal.atom.args) arg = replace(terms, arg, from, to);
        if (std::ranges::find(body, literal) == body.end()) body.push_back(std::move(literal));
    }
    clause.body = std::move(body);
    return clause;
}

TermId add_variable(TermTable& terms, Clause& clause, TypeId type) {
    clause.variables.push_back({{}, type, {}});
    return terms.variable(static_cast<std::uint32_t>(clause.variables.size() - 1));
}

}  // namespace neumann
