// Demand (magic sets): what a query with known arguments can reach is all that has to be grounded. A rewriting of
// rules: each rule of a predicate that is only ever called with some arguments known gets a guard, the relation of
// the arguments it is called with; rules for that relation follow the calls.
//
//   path(X,Z) :- edge(X,Y), path(Y,Z).      asked: path(n0,Z)
//
//   path(X,Z) :- edge(X,Y), path(Y,Z), demand path(X,_).
//   demand path(Y,_) :- edge(X,Y), demand path(X,_).
//   demand path(n0,_).
//
// A guard restricts which instances are found and is no part of them, so the graph under the query is the same. A
// predicate has one guard: the arguments that are known in every call. Bindings are passed on by goals that no negation
// is needed for, so that guards are known before anything is negated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ground/rule.h"

namespace neumann {

struct DemandedPredicate {
    PredicateId of;
    std::uint32_t known = 0;  // bit i: argument i is one of the guard's
};

struct Demand {
    std::vector<Rule> rules;  // the given ones with their guards, then those that follow the calls
    // The relations of guards have the numbers behind the program's predicates.
    std::vector<DemandedPredicate> predicates;
    struct Seed {
        PredicateId guard;
        std::vector<TermId> args;
    };
    std::vector<Seed> seeds;  // from the queries
};

// Nothing if there are no queries, or none of what they call is called with known arguments only.
std::optional<Demand> find_demand(const Program& program, const std::vector<Rule>& rules);

// The rewritten program, a line for each rule that is new or has a guard.
std::string print_demand(const Program& program, const Demand& demand);

}  // namespace neumann
