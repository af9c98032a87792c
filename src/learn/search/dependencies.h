// Dependencies that hold for all tuples of the background and make goals superfluous: columns within unary relations,
// and arguments that the others determine.
#pragma once

#include <vector>

#include "learn/evaluate/clause.h"
#include "learn/evaluate/relation.h"

namespace neumann::search {

class Dependencies {
public:
    // Predicates that are added to the bias later are not judged.
    Dependencies(const Bias& bias, std::vector<Relation>& relations);

    // Whether the goal follows from the others, or makes two variables equal so that a shorter clause is equivalent.
    bool is_superfluous(const Clause& clause, const Literal& goal) const;

private:
    bool implied(const Literal& by, const Literal& goal) const;
    bool same_by_function(const Literal& other, const Literal& goal) const;

    const Bias& bias_;
    const std::vector<Relation>& relations_;
    std::vector<std::vector<std::vector<bool>>> within_;  // predicate, argument, unary predicate
    std::vector<Mask> determined_;                        // predicate: arguments that all others determine
    std::vector<bool> symmetric_;
};

}  // namespace neumann::search
