// Constants in clauses as relations of their own: color(A,red) is a relation of A alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "learn/evaluate/clause.h"
#include "learn/evaluate/relation.h"
#include "learn/readers/background.h"

namespace neumann::search {

struct ConstantRelation {
    Predicate predicate;  // without the arguments that are constants
    Relation relation;
    std::vector<Value> constants;  // per argument of the goal; resolution::no_term where a variable stands
};

// One for each choice of constants that occurs at the positions `constants` of the predicate, the most frequent ones
// if there are many. `described` lists the omitted ones; empty: none.
std::vector<ConstantRelation> constant_relations(const std::shared_ptr<Background>& background,
                                                 const Predicate& predicate, Mask constants, std::string& described);

// A = value
ConstantRelation equality_relation(const Background& background, std::uint16_t type, Value value);

}  // namespace neumann::search
