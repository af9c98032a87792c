// Names for inferred types, from the predicates at whose places their terms stand: person(ann) makes `person`,
// edge(a,b) `edge_1`, lists of persons are `list_of_person`.
#pragma once

#include <map>
#include <string>

#include "logic/signature.h"
#include "syntax/type_uses.h"

namespace neumann::syntax {

class TypeNames {
public:
    // Classes are not joined any more.
    TypeNames(TypeUses& uses, const Signature& signature);

    // Unlike all names that the signature has by then. `element` is the type of its elements, or none.
    std::string name_of(Place place, TypeId element) const;
    Span span_of(Place place) const;

private:
    struct Words {
        std::string set;       // a predicate of one argument with facts only: its facts list the type's constants
        std::string argument;  // a place of another predicate
        std::string property;  // a predicate of one argument with clauses
        std::string part;      // a place of a functor
        Span span;
    };

    const Words* words_of(Place place) const;
    static std::string best(const Words& words);

    const TypeClasses& classes_;
    const Signature& signature_;
    std::map<Place, Words> words_;  // of the roots
};

}  // namespace neumann::syntax
