// Thresholds for comparisons in clauses: numbers that separate the labels.
#pragma once

#include <optional>
#include <vector>

#include "learn/bias/extensions.h"
#include "learn/bias/target_labels.h"

namespace neumann {

// The number that a constant stands for.
std::optional<double> number_of(const Signature& signature, const TermTable& terms, TermId term);

// Constants c of a type of numbers for X >= c and X < c, the best first: by how differently the numbers on both sides
// occur beside terms of positive and of negative labels. Evenly taken ones where no number occurs beside such terms.
// None if something of the type is no number, or there are too few of them.
std::vector<TermId> find_cuts(TypeId type, const std::vector<PredicateId>& predicates,
                              const std::vector<TypeId>& head_types, const Worlds& worlds,
                              const std::vector<TargetLabel>& labels);

}  // namespace neumann
