// Rules of a ProbLog program as read: over terms without types.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "resolution/terms.h"

namespace neumann::resolution {

struct Head {
    Term weight = no_term;  // as written: a number, a variable that the body binds, an expression
    Term atom = no_term;
};

// One head, or those of an annotated disjunction.
struct Rule {
    std::vector<Head> heads;
    Term body = no_term;          // true for a fact
    std::uint32_t variables = 0;  // numbered from 0
    Span span;                    // none for rules of the library
};

using Indicator = std::pair<std::string, std::size_t>;  // name and number of arguments

// A name in front of arguments, or alone, and where it is written.
struct WrittenName {
    std::string name;
    std::size_t arity = 0;
    Span span;
};

struct Rules {
    Terms terms;
    std::vector<Rule> rules;
    // The rules of a predicate: number, and which of the heads.
    std::map<Indicator, std::vector<std::pair<std::uint32_t, std::uint32_t>>> by_head;
    std::set<Indicator> declared;  // dynamic: without rules it does not hold
    std::vector<WrittenName> names;

    void add(Rule rule);
    bool defines(const Indicator& predicate) const {
        return by_head.contains(predicate) || declared.contains(predicate);
    }
    Indicator indicator(Term atom) const { return {terms.name(atom), terms.args(atom).size()}; }
};

}  // namespace neumann::resolution
