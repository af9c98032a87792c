// Which instance of a clause a conjunction is.
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "explain/substitution_of.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

using Texts = std::vector<std::string>;

// "X = a, Y = b; q(a), q(b)" for the conjunctions of a clause, in the order of the graph.
Texts instances(const std::string& text, std::uint32_t clause = 0) {
    GroundedText grounded = ground_text(text);
    const ReasoningGraph& graph = grounded.ground.graph;
    Program& program = grounded.program;
    Texts found;
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        if (graph.clause[c] != clause) continue;
        const Clause& written = program.clauses[clause];
        const std::optional<ClauseInstance> instance =
            substitution_of(program, grounded.ground.atoms, written, graph.head[c], graph.literals(c));
        if (!instance) {
            found.emplace_back("nothing");
            continue;
        }
        Texts values;
        for (std::size_t v = 0; v < written.variables.size(); ++v) {
            const TermId term = instance->bindings[v];
            values.push_back(fmt::format("{} = {}", written.variables[v].name,
                                         term.is_none() ? "?" : print_term(program.signature, program.terms, term)));
        }
        Texts body;
        for (const GraphLiteral literal : instance->body) body.push_back(atom_text(grounded, literal.atom()));
        found.push_back(fmt::format("{}; {}", fmt::join(values, ", "), fmt::join(body, ", ")));
    }
    return found;
}

const std::string letters = ":- type(t, [a, b, c]).\n:- pred(p).\n:- pred(p(t)).\n:- pred(p(t,t)).\n:- pred(q(t)).\n"
                            ":- pred(r(t)).\n:- pred(e(t,t)).\n";

TEST(SubstitutionOf, ReadsVariablesOffHeadAndBody) {
    EXPECT_EQ(instances(letters + "e(a,b). q(b).\np(X) :- e(X,Y), q(Y).\n"), (Texts{"X = a, Y = b; e(a,b), q(b)"}));
}

TEST(SubstitutionOf, TellsTheBodyInTheOrderOfTheClause) {
    EXPECT_EQ(instances(letters + "q(a). r(b). e(a,b).\np :- r(Y), e(X,Y), q(X).\n"),
              (Texts{"Y = b, X = a; r(b), e(a,b), q(a)"}));
    EXPECT_EQ(instances(letters + "e(a,b). e(b,c).\np(Z,X) :- e(Y,Z), e(X,Y).\n"),
              (Texts{"Z = c, X = a, Y = b; e(b,c), e(a,b)"}));
}

TEST(SubstitutionOf, GoalsThatAreOneAtomAreToldOnce) {
    EXPECT_EQ(instances(letters + "q(a).\np :- q(X), q(Y).\n"), (Texts{"X = a, Y = a; q(a)"}));
    EXPECT_EQ(instances(letters + "q(b).\np(X) :- q(X), q(X), q(b).\n"), (Texts{"X = b; q(b)"}));
}

TEST(SubstitutionOf, WithoutABodyTheHeadTellsAll) {
    EXPECT_EQ(instances(letters + "p(X,X) :- true.\n"), (Texts{"X = a; ", "X = b; ", "X = c; "}));
}

TEST(SubstitutionOf, FollowsTermsAndEquations) {
    const std::string lists = letters + ":- list(l, t, cons, nil).\n:- max_length(l, 3).\n:- pred(rev(l,l)).\n"
                                        ":- pred(all(l)).\n";
    EXPECT_EQ(instances(lists + "all([b,c]).\nrev([H|T],T) :- all([H|T]).\n"), (Texts{"H = b, T = [c]; all([b,c])"}));
    EXPECT_EQ(instances(lists + "all([b,c]).\nrev(L,T) :- all(L), L = [H|T].\n"),
              (Texts{"L = [b,c], T = [c], H = b; all([b,c])"}));
    EXPECT_EQ(instances(letters + "q(a). r(a).\np :- q(X), r(Y), X = Y.\n"), (Texts{"X = a, Y = a; q(a), r(a)"}));
}

TEST(SubstitutionOf, BacktracksOverGoalsOfOnePredicate) {
    EXPECT_EQ(instances(letters + "e(c,b). e(b,a). q(a).\np(X) :- e(X,Y), e(Y,Z), q(Z).\n"),
              (Texts{"X = c, Y = b, Z = a; e(c,b), e(b,a), q(a)"}));
}

TEST(SubstitutionOf, IsNothingForOtherAtoms) {
    GroundedText grounded = ground_text(letters + "q(a). r(b). e(a,b).\np(X) :- q(X).\np :- r(X).\np :- e(X,Y).\n");
    const ReasoningGraph& graph = grounded.ground.graph;
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        for (std::uint32_t k = 0; k < 3; ++k) {
            const auto found = substitution_of(grounded.program, grounded.ground.atoms, grounded.program.clauses[k],
                                               graph.head[c], graph.literals(c));
            EXPECT_EQ(found.has_value(), graph.clause[c] == k) << c << " " << k;
        }
    }
}

// The first guess, e(b,a) for e(X,Y), leaves e(Y,Z) without an atom: that is a reason to guess again.
TEST(SubstitutionOf, AGoalThatFindsNoAtomIsAWrongGuess) {
    EXPECT_EQ(instances(letters + "e(b,a). e(b,b).\np :- e(X,Y), e(Y,Z), e(Z,W).\n").size(), 2U);
    for (const std::string& one : instances(letters + "e(b,a). e(b,b).\np :- e(X,Y), e(Y,Z), e(Z,W).\n")) {
        EXPECT_TRUE(one == "X = b, Y = b, Z = b, W = b; e(b,b)" || one == "X = b, Y = b, Z = b, W = a; e(b,b), e(b,a)")
            << one;
    }
}

// X = a, Y = a, Z = b would name both atoms too.
TEST(SubstitutionOf, WhatMustDifferDiffers) {
    for (const std::string& one : instances(letters + "q(a). q(b).\np :- q(X), q(Y), q(Z), X \\= Y.\n")) {
        EXPECT_TRUE(one.starts_with("X = a, Y = b,") || one.starts_with("X = b, Y = a,")) << one;
    }
}

}  // namespace
}  // namespace neumann
