#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "logic/substitution.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

constexpr const char* vocabulary = R"(
:- type(number, [0, 1]).
:- functor(s(number), number).
:- functor(f(number, number), number).
:- pred(p(number, number)).
:- pred(q(number)).
)";

// The clause with its equations solved, as text: "never" if it cannot fire.
std::string solved(const std::string& text) {
    ReadProgram result = read(vocabulary + text);
    EXPECT_FALSE(result.diagnostics.has_errors()) << rendered(result);
    Clause clause = result.program.clauses.at(0);
    const std::optional<SolvedClause> solution = solve_constraints(result.program.terms, clause);
    if (!solution) return "never";
    clause.head = solution->head;
    clause.body = solution->body;
    clause.constraints = solution->disequations;
    return print_clause(result.program, clause);
}

TEST(Substitution, EquationsAreSolvedWhenTheClauseIsRead) {
    EXPECT_EQ(solved("p(X,Y) :- q(X), X = Y."), "p(X,X) :- q(X).");
    EXPECT_EQ(solved("p(X,Y) :- q(X), q(Y), X = 0."), "p(0,Y) :- q(0), q(Y).");
    EXPECT_EQ(solved("p(X,Y) :- q(Y), X = s(Y)."), "p(s(Y),Y) :- q(Y).");
    EXPECT_EQ(solved("p(X,Y) :- q(X), f(X,0) = f(1,Y)."), "p(1,0) :- q(1).");
    EXPECT_EQ(solved("p(X,Y) :- q(X), q(Y), X = s(Y), X = s(0)."), "p(s(0),0) :- q(s(0)), q(0).");
    EXPECT_EQ(solved("p(X,Y) :- q(X), X = X, q(Y)."), "p(X,Y) :- q(X), q(Y).");
}

TEST(Substitution, EquationsWithoutASolutionNeverFire) {
    EXPECT_EQ(solved("p(X,X) :- q(X), 0 = 1."), "never");
    EXPECT_EQ(solved("p(X,X) :- q(X), X = 0, X = 1."), "never");
    EXPECT_EQ(solved("p(X,X) :- q(X), s(X) = f(X,X)."), "never");
    EXPECT_EQ(solved("p(X,Y) :- q(X), q(Y), f(X,Y) = f(0,1), X = Y."), "never");
}

// X = s(X) has no finite solution; without the occurs check it would have an infinite one.
TEST(Substitution, ATermIsNotPartOfItself) {
    EXPECT_EQ(solved("p(X,X) :- q(X), X = s(X)."), "never");
    EXPECT_EQ(solved("p(X,Y) :- q(X), X = s(Y), Y = s(X)."), "never");
}

TEST(Substitution, DisequationsStayUnlessTheyAreDecided) {
    EXPECT_EQ(solved("p(X,Y) :- q(X), q(Y), X \\= Y."), "p(X,Y) :- q(X), q(Y), X \\= Y.");
    EXPECT_EQ(solved("p(X,Y) :- q(X), q(Y), X = 0, X \\= Y."), "p(0,Y) :- q(0), q(Y), 0 \\= Y.");
    EXPECT_EQ(solved("p(X,Y) :- q(X), q(Y), X = 0, Y = 1, X \\= Y."), "p(0,1) :- q(0), q(1).");
    EXPECT_EQ(solved("p(X,Y) :- q(X), q(Y), X = Y, X \\= Y."), "never");
    EXPECT_EQ(solved("p(X,X) :- q(X), 0 \\= 0."), "never");
}

TEST(Substitution, EveryOccurrenceOfAVariableIsVisited) {
    TermTable terms;
    const TermId x = terms.variable(3);
    const TermId inner = terms.compound(FunctorId(0), std::array{x, terms.constant(ConstantId(0))});
    const TermId term = terms.compound(FunctorId(0), std::array{inner, x});
    std::vector<std::uint32_t> seen;
    for_each_variable(terms, term, [&](std::uint32_t v) { seen.push_back(v); });
    EXPECT_EQ(seen, (std::vector<std::uint32_t>{3, 3}));
}

}  // namespace
}  // namespace neumann
