// Random programs with aggregates, arithmetic and negation over facts that may be uncertain, as text; and what they say
// in a world where it is known which facts hold, computed directly: a loop over the facts for every aggregate. It knows
// nothing of the clauses that the library makes of them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"

namespace neumann::oracle {

// item(group, name, number), bad(name), group(group) or edge(group, group).
struct AggregateFact {
    std::string text;  // as plain_text of brute_force.h has it
    std::string predicate;
    std::vector<std::string> names;
    int number = 0;                     // of items
    std::optional<double> probability;  // none: certain
};

enum class AggregateSource {
    Items,      // item(G,I,W)
    Unnamed,    // item(G,_,W)
    NotBad,     // item(G,I,W), \+ bad(I)
    Above,      // item(G,I,W), W > limit
    Computed,   // good(G,I,W), which a clause computes from items that are not bad
    Reachable,  // reach(G,I), without a number: a recursive predicate
};

enum class AggregateGroups {
    Given,  // by group(G) in the clause: a group may be empty
    Found,  // those of the instances
    One,    // all instances together
};

struct AggregateRule {
    std::string kind;  // count, sum, min, max, avg
    AggregateSource source = AggregateSource::Items;
    AggregateGroups groups = AggregateGroups::Given;
    unsigned expression = 0;  // of the number, by the list in random_aggregates.cpp
    int limit = 0;
    std::optional<int> more_than;  // of the result, in the clause itself
    std::optional<double> weight;  // of the clause
};

struct AggregateProgram {
    std::vector<AggregateFact> facts;
    std::vector<AggregateRule> rules;
    bool nested = false;  // an aggregate over the results of the first

    std::string text() const;
    // The atoms of total<k>, flag<k>, calm<k>, twice<k>, best and small that hold if exactly these facts do (a flag for
    // each), as plain_text has them. Weights count as 1.
    std::set<std::string> answers(const std::vector<bool>& holds) const;
};

struct AggregateShape {
    bool uncertain_clauses = false;
    // Items with names of their own, sources without recursion and groups that are certain: what is counted are
    // independent events.
    bool independent = false;
};

AggregateProgram random_aggregates(Rng& rng, const AggregateShape& shape);

}  // namespace neumann::oracle
