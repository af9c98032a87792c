// Join of one rule: its plan run as nested loops over relations, functor tables and domains.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "graph/build.h"
#include "ground/numbers.h"
#include "ground/plan.h"
#include "ground/relation.h"
#include "ground/rule.h"
#include "ground/universe.h"

namespace neumann {

// Which rows of a relation a scan sees; rows beyond `end` belong to a later round.
struct RowRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

// The data of a join. Borrowed; heads are added to their relation, and terms that heads build to the term table.
struct JoinContext {
    TermTable& terms;
    const TermBounds& bounds;
    Universe& universe;
    std::vector<Relation>& relations;  // per predicate
    const Signature& signature;
    NumberTable& numbers;  // with the program's constants, where a rule has arithmetic
    // Per predicate and row: whether it holds for all inputs. Only for rules that go through items; others may omit it.
    const std::vector<std::vector<bool>>* certain = nullptr;
};

// The cost figures for the rule's plan: the sizes of the relations and of the enumerated types. `numbers` has the
// program's constants where the rule has arithmetic.
PlanCosts join_costs(const Signature& signature, const Universe& universe, const std::vector<Relation>& relations,
                     const NumberTable& numbers, const Rule& rule);

// Appends a row to the block for every match: the head's row number, then those of the body atoms
// (InstanceBlock::missing for an absent negated one). `ranges` gives per body atom the rows to join; they
// must not include rows that this join itself adds. `added` is called for every batch.
void run_join(JoinContext& context, const Rule& rule, const Plan& plan, const std::vector<RowRange>& ranges,
              InstanceBlock& block, const std::function<void(std::size_t)>& added);

}  // namespace neumann
