// Canonical form of a clause: equal for clauses that differ in variable names and body order only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logic/substitution.h"

namespace neumann {

// The canonical form of a solved clause: repeated goals removed, variables renumbered and goals ordered so that clauses
// equal up to renaming and reordering get the same form. Everything that follows (planning, enumeration, the order of
// edges) starts from it, which is why results do not move when a body is reordered.
struct CanonicalClause {
    SolvedClause clause;                      // variables renumbered
    std::vector<std::uint32_t> old_variable;  // canonical number → the clause's own number
    std::vector<std::uint32_t> key;           // equal exactly for equal clauses; also a total order on clauses
};

// Arguments of a predicate whose order makes no difference.
struct ExchangeablePlaces {
    PredicateId predicate;
    std::vector<std::uint32_t> group;  // per argument: the first argument that it may change places with, or itself
};
// Null: the predicate has none.
const ExchangeablePlaces* find_exchangeable(std::span<const ExchangeablePlaces> all, PredicateId predicate);

// Goals that differ only by an exchange of such arguments are one goal; each group of arguments is sorted.
CanonicalClause canonicalize(TermTable& terms, const SolvedClause& given, std::size_t variable_count,
                             std::span<const ExchangeablePlaces> exchangeable = {});

}  // namespace neumann
