// Random legal programs in the single-file language, kept as structure so that tests can rearrange and shrink them.
#pragma once

#include <string>
#include <vector>

#include "base/rng.h"

namespace neumann::oracle {

// A term as it will be written: a variable of its clause, a constant, or a functor with arguments.
struct TermText {
    static constexpr int no_variable = -1;
    std::string name;
    std::vector<TermText> args;
    int variable = no_variable;
    bool brackets = false;  // a list cell or the empty list, written [H|T] or []
};

struct GoalText {
    enum class Kind { Atom, Equal, Different };
    Kind kind = Kind::Atom;
    std::string predicate;       // of an atom
    std::vector<TermText> args;  // of a constraint: its two sides
};

// A clause, a fact (no variables, no body) or a query (no body, no weight).
struct ClauseText {
    std::string weight;  // empty: none written
    GoalText head;
    std::vector<GoalText> body;
    std::vector<std::string> variables;  // their names; "_" only for variables that occur once
    bool says_true = false;              // an empty body is written ":- true"
};

struct RandomProgram {
    std::vector<std::string> declarations;
    std::vector<ClauseText> facts;  // no atom twice, so that their order is of no consequence
    std::vector<ClauseText> clauses;
    std::vector<ClauseText> queries;
    std::vector<ClauseText> labels;
};

RandomProgram random_program(Rng& rng);

std::string text_of(const ClauseText& clause);  // without its final dot
std::string text_of(const RandomProgram& program);

// How often each variable occurs in the clause.
std::vector<unsigned> variable_uses(const ClauseText& clause);

template <class T>
void shuffle(std::vector<T>& values, Rng& rng) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[rng.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace neumann::oracle
