// Rules of a ProbLog program as read: over terms without types.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"
#include "resolution/terms.h"

namespace neumann::resolution {

// Prolog's cut, and | for ;, are for depth-first resolution.
enum class RuleLanguage : std::uint8_t { ProbLog, Prolog };

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

inline constexpr std::string_view decided = "?";  // the weight of a decision: ?::a
// The predicate that holds where a negated head, \+p, takes p away.
inline std::string negated_name(std::string_view predicate) { return "not " + std::string(predicate); }

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
    std::set<Indicator> negated;       // predicates with negated heads, \+p :- …
    std::set<std::string> libraries;   // that the program uses
    std::set<std::string> read_files;  // consulted
    bool unknown_fails = false;        // :- unknown(fail)

    void add(Rule rule);
    // p(X) :- 'has p'(X), \+ 'not p'(X). for predicates with negated heads.
    void split_negated();
    // Whether variables occur outside of negations and collections, whose own variables have no values behind them.
    std::vector<bool> shared_variables(const Rule& rule) const;
    bool is_decision(const Rule& rule) const {
        return rule.heads[0].weight != no_term && terms.is(rule.heads[0].weight, decided, 0);
    }
    bool defines(const Indicator& predicate) const {
        return by_head.contains(predicate) || declared.contains(predicate);
    }
    Indicator indicator(Term atom) const { return {terms.name(atom), terms.args(atom).size()}; }
};

}  // namespace neumann::resolution
