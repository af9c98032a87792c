// Language bias of the clause search: mode declarations and bounds, and whether a clause is in the language.
//
// A clause is in the language if
//  - its head matches a modeh of its predicate (without one every place counts as '+'), and every body atom is given a
//    modeb that it matches, no modeb to more atoms than its recall;
//  - '#' places hold constants. '+' and '-' places hold patterns: variables, functor applications of patterns, and
//    constants of types that have functors ([] or zero). Constants of other types stand at '#' places only;
//  - the body has an order in which the term at every '+' place of a body atom occurs before, as an argument or as part
//    of one: in the head, or in an earlier atom. A '-' place may hold a term that is new. (In a head '+' and '-' are
//    the same.) So is_sorted([X,Y|Z]) :- is_sorted([Y|Z]) needs a '+', for [Y|Z] is part of the head, whereas
//    reverse([H|T],A,R) :- reverse(T,[H|A],R) builds the term [H|A] and needs a '-';
//  - goals that differ only in the order of arguments that an unordered mode lets change places are one goal;
//  - it has at most as many body atoms, variables and nested functors as the bounds allow;
// - it could have an instance: no term is beyond the declared bounds of its type for every value of its variables
//    (list too long, elements repeated, too deep), no atom of a `distinct` predicate has two identical arguments;
//  - it is no tautology: the head is not in the body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <neumann/learn_options.h>

#include "logic/bounds.h"
#include "logic/canonical.h"
#include "logic/program.h"

namespace neumann {

struct SearchLanguage {
    std::vector<Mode> modes;
    SearchBounds bounds;
};

enum class Membership {
    Inside,
    TooManyVariables,  // everything else is right: a specialisation with fewer variables may be inside
    Outside
};

class ModeChecker {
public:
    ModeChecker(const Program& program, SearchLanguage language);  // the program is borrowed

    const SearchLanguage& language() const { return language_; }
    // Of the predicates with unordered modes.
    const std::vector<ExchangeablePlaces>& exchangeable() const { return exchangeable_; }
    bool is_same_goal(const Literal& a, const Literal& b) const;  // up to the order of such arguments
    void remove_same_goals(Clause& clause) const;
    // The modes of heads with this predicate; one with '+' everywhere if none is declared.
    std::vector<Mode> head_modes(PredicateId predicate) const;

    // The clause has no constraints and no atom twice.
    Membership check(const Clause& clause) const;

    struct PlacedAtom {
        std::size_t atom;  // index in the body
        std::size_t mode;  // index in the language
    };
    // A body order and the modes that show that the clause keeps to the modes; none if it does not.
    std::optional<std::vector<PlacedAtom>> order_body(const Clause& clause) const;

    TypeId type_of(const Clause& clause, TermId term) const;

private:
    bool is_pattern(TermId term) const;
    bool matches(const Mode& mode, const Atom& atom) const;
    bool fits_list_bounds(TermId cell) const;
    std::uint32_t least_depth(const Clause& clause, TermId term) const;
    bool may_have_instances(const Clause& clause, const Atom& atom) const;
    bool may_have_instances(const Clause& clause, TermId term) const;
    void find_least_depths();

    const Signature& signature_;
    const TermTable& terms_;
    SearchLanguage language_;
    TermBounds bounds_;
    std::vector<std::uint32_t> least_depths_;  // per type: of its terms
    std::vector<ExchangeablePlaces> exchangeable_;
};

}  // namespace neumann
