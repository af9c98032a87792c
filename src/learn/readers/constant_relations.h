// Constants in clauses as relations of their own: color(A,red) is a relation of A alone.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "learn/evaluate/clause.h"
#include "learn/evaluate/relation.h"
#include "learn/readers/background.h"

namespace neumann::search {

using NamedRelation = std::pair<Predicate, Relation>;

// One for each choice of constants that occurs at the positions `constants` of the predicate, the most frequent ones
// where there are many. `described` says what was left out; empty: nothing.
std::vector<NamedRelation> constant_relations(const std::shared_ptr<Background>& background, const Predicate& predicate,
                                              Mask constants, std::string& described);

// A = value
NamedRelation equality_relation(const Background& background, std::uint16_t type, Value value);

}  // namespace neumann::search
