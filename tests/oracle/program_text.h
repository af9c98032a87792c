// A program as it will be written, kept as structure so that tests can rearrange and shrink it.
#pragma once

#include <string>
#include <vector>

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
    bool negated = false;        // of an atom
};

// A clause, a fact (no variables, no body) or a query (no body, no weight).
struct ClauseText {
    std::string weight;  // empty: none written
    GoalText head;
    std::vector<GoalText> body;
    std::vector<std::string> variables;  // their names; "_" only for variables that occur once
    bool says_true = false;              // an empty body is written ":- true"
};

struct ProgramText {
    std::vector<std::string> declarations;
    std::vector<ClauseText> facts;
    std::vector<ClauseText> clauses;
    std::vector<ClauseText> queries;
    std::vector<ClauseText> labels;
};

// Negated goals are written \+ p(X) for people; the language does without the sign as yet, and whoever reads the text
// back adds it again.
enum class Signs { Shown, Hidden };
std::string text_of(const ClauseText& clause, Signs signs = Signs::Shown);  // without its final dot
std::string text_of(const ProgramText& program, Signs signs = Signs::Shown);

// How often each variable occurs in the clause.
std::vector<unsigned> variable_uses(const ClauseText& clause);

}  // namespace neumann::oracle
