// Syntax tree of an answer set program: terms, literals, rules. The parser refuses unsupported features before they get
// into such a tree.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"

namespace neumann::interchange {

struct AspTerm {
    enum class Kind : std::uint8_t {
        Variable,
        Number,
        String,
        Symbol,     // a constant, a function or an atom: `text` of args
        Tuple,      // of args
        Operation,  // `text` is + - * / \ of two args, - of one, | (the absolute value) of one
        Interval,   // low..high
        Pool,       // any one of args
    };
    Kind kind = Kind::Symbol;
    std::string text;
    Span span;
    std::vector<AspTerm> args;
    std::int64_t number = 0;
};

struct AspComparison {
    AspTerm left;
    std::string relation;  // = != < <= > >=
    AspTerm right;
};

struct AspLiteral;

struct AspElement {  // of an aggregate: tuple : condition
    std::vector<AspTerm> tuple;
    std::vector<AspLiteral> condition;
};

struct AspGuard {  // the right-hand side of the comparison with an aggregate's value
    std::string relation;
    AspTerm term;
};

struct AspLiteral {
    enum class Kind : std::uint8_t { Atom, Comparison, Aggregate, Conditional, True };
    Kind kind = Kind::Atom;
    unsigned negations = 0;  // how many `not` stand in front
    Span span;
    AspTerm atom;
    AspComparison comparison;
    std::string function;  // of an aggregate: count, sum, min, max
    std::vector<AspElement> elements;
    std::vector<AspGuard> guards;
    std::vector<AspLiteral> condition;  // Conditional: the literal first, then its condition
};

struct AspRule {
    AspTerm head;
    std::vector<AspLiteral> body;
    Span span;
};

struct AspShow {
    std::string name;
    std::size_t arity = 0;
    AspTerm atom;  // `#show a(X) : a(X).`: of kind Symbol with this text, unless it is empty
    Span span;
};

struct AspProgram {
    std::vector<AspRule> rules;
    std::map<std::string, AspTerm> constants;  // #const
    std::vector<AspShow> shows;
    bool hides_all = false;  // #show.
    // The functor and the constant of lists, if a comment declares them (see asp_names.h).
    std::string list_cell;
    std::string empty_list;
};

}  // namespace neumann::interchange
