// Demand (magic sets): grounds only the atoms that a query with known arguments can reach. A rewriting of
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
// predicate has one guard: the arguments that are known in every call. Only goals that need no negation pass bindings
// on, so that guards are complete before any negation.
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
    std::vector<Rule> rules;  // the given ones with their guards, then the rules for demand
    // The relations of guards have the numbers behind the program's predicates.
    std::vector<DemandedPredicate> predicates;
    struct Seed {
        PredicateId guard;
        std::vector<TermId> args;
    };
    std::vector<Seed> seeds;  // from the queries
};

// Nothing if there are no queries, or none of the predicates they call has known arguments in every call.
std::optional<Demand> find_demand(const Program& program, const std::vector<Rule>& rules);

// The rewritten program, a line for each rule that is new or has a guard.
std::string print_demand(const Program& program, const Demand& demand);

}  // namespace neumann
