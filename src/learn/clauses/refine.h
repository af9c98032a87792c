// Downward refinement operator of the clause search. It goes from a clause to its least specialisations within a
// language (learn/modes.h), in four kinds of small steps:
//  1. add a body atom by one of the modeb: a term of the clause at '+' places, a variable of the clause or a new one at
//     '-' places, a constant at '#' places;
//  2. put a constant in a variable's place;
//  3. make two variables of the same type one;
//  4. put f(new variables) in a variable's place.
//
// Completeness: every clause of the language whose head has the target's predicate is reached from most_general(target)
// by finitely many applications of refine, through clauses of the language only.
//
// Why: take a clause of the language and an order of its body that the modes allow. Without its last atom it is still
// in the language; so build the head first and add atoms one by one in that order, each with variables, which are then
// instantiated from the outside in. All that the language asks for holds on the way, since generalising in this manner
// keeps atoms apart, gives them the same modes and makes no term deeper; all but the number of variables. A step that
// leads to too many variables is therefore continued by a detour (learn/detour.h) over the variables that it brought
// in, and over those that occur in exactly the same atoms as the one it instantiated: up to the next clause of
// the language nothing else needs to change. Far from the bound on variables there are no detours; at the bound, where
// a new variable will not fit, '-' places are filled with whole terms, and the number of refinements grows accordingly.
//
// Left out, because it is reached in another way:
//  - an atom with a term t that is no variable at a '+' place, if the clause is in the language with a variable for t;
//  - ends of detours that one of the four steps leads to, from another clause of the language;
//  - ends of detours to which another detour leads, from a clause of the language with more symbols (or as many, and
//  fewer
//    variables) than the one where this detour started: the last of these keeps it.
//
// A result is never the clause itself or more general. It may be equivalent to it under θ-subsumption, since such
// clauses lie on the way to others: kp(X) :- in(O1,X), in(O2,X) from kp(X) :- in(O1,X). But then it has more atoms, or
// as many and more symbols, or as many of both and fewer variables: no chain of refinements returns to where it was.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/clauses/modes.h"
#include "logic/program.h"

namespace neumann {

// A clause of the search in canonical form: clauses equal up to names of variables and order of bodies have equal keys.
struct SearchClause {
    Clause clause;
    std::vector<std::uint32_t> key;
};

// The canonical form, with equations solved and the clause's own names of variables. Throws std::invalid_argument if
// there are disequations or equations without a solution: the search knows no constraints.
SearchClause canonical_clause(TermTable& terms, const Clause& clause,
                              std::span<const ExchangeablePlaces> exchangeable = {});

class Refiner {
public:
    Refiner(Program& program, SearchLanguage language);  // the program is borrowed; new terms are added to it

    const SearchLanguage& language() const { return checker_.language(); }

    // The canonical form with names of variables by rule: X, Y, Z, … in the head, others by their type (O1, O2).
    SearchClause canonical(const Clause& clause);
    // p(X,Y,Z) with variables everywhere, but for '#' places of the modeh: one clause for each way to fill those. If
    // that takes more variables than allowed: the most general instances that do not.
    std::vector<SearchClause> most_general(PredicateId target);
    // Ordered by key, each once, without the clause itself. The given clause should be in the language.
    std::vector<SearchClause> refine(const SearchClause& clause);
    // The way back: without one of the goals, or with a new variable for one of the terms wherever it occurs. Only
    // clauses of the language.
    std::vector<SearchClause> generalise(const SearchClause& clause);
    bool admits(const SearchClause& clause) const { return checker_.check(clause.clause) == Membership::Inside; }

    // The clause for people: atoms that bring in variables first, then by the declaration of their predicates;
    // variables numbered as they occur.
    Clause readable(const SearchClause& clause);

private:
    Program& program_;
    ModeChecker checker_;
};

}  // namespace neumann
