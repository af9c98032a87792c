#include <string>

#include <gtest/gtest.h>

#include "ground/demand.h"
#include "logic/bounds.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

const std::string path = ":- type(n, [a, b, c, d, e]). :- pred(edge(n, n)). :- pred(path(n, n)).\n"
                         "edge(a, b). edge(b, c). edge(d, e). edge(e, d).\n"
                         "path(X, Y) :- edge(X, Y).\n";
const std::string right = path + "path(X, Z) :- edge(X, Y), path(Y, Z).\n";
const std::string left = path + "path(X, Z) :- path(X, Y), edge(Y, Z).\n";
const std::string both = path + "path(X, Z) :- path(X, Y), path(Y, Z).\n";

std::string rewritten(const std::string& text) {
    ReadProgram result = read_and_analyse(text);
    EXPECT_FALSE(result.diagnostics.has_errors()) << rendered(result);
    const TermBounds bounds(result.program.signature);
    const std::vector<Rule> rules = compile_rules(result.program, bounds);
    const std::optional<Demand> demand = find_demand(result.program, rules);
    return demand ? print_demand(result.program, *demand) : "";
}

GroundedText grounded(const std::string& text, bool demand) {
    GroundOptions options;
    options.demand = demand;
    return ground_text(text, options);
}

void expect_same(const std::string& text) {
    const GroundedText with = grounded(text, true);
    const GroundedText without = grounded(text, false);
    EXPECT_EQ(atom_texts(with), atom_texts(without)) << text;
    EXPECT_EQ(clause_texts(with), clause_texts(without)) << text;
}

TEST(Demand, FollowsTheCalls) {
    EXPECT_EQ(rewritten(right + ":- query(path(a, X))."), "path(X,Y) :- edge(X,Y), 'demand path'(X,_).\n"
                                                          "path(X,Z) :- edge(X,Y), path(Y,Z), 'demand path'(X,_).\n"
                                                          "'demand path'(Y,_) :- edge(X,Y), 'demand path'(X,_).\n"
                                                          "'demand path'(a,_).\n");
}

TEST(Demand, ACallWithTheSameArgumentsNeedsNoRule) {
    EXPECT_EQ(rewritten(left + ":- query(path(a, X))."), "path(X,Y) :- edge(X,Y), 'demand path'(X,_).\n"
                                                         "path(X,Z) :- edge(Y,Z), path(X,Y), 'demand path'(X,_).\n"
                                                         "'demand path'(a,_).\n");
}

TEST(Demand, WithoutKnownArgumentsNothingIsRewritten) {
    EXPECT_EQ(rewritten(right), "");
    EXPECT_EQ(rewritten(right + ":- query(path(X, Y))."), "");
    EXPECT_EQ(rewritten(right + ":- query(path(a, X)). :- query(path(X, b))."), "") << "nothing is known in both";
    EXPECT_EQ(rewritten(right + ":- query(edge(a, X))."), "") << "it has no rules";
}

TEST(Demand, TheGraphIsTheSame) {
    for (const std::string& program : {right, left, both}) {
        for (const char* query : {"path(a, X)", "path(X, c)", "path(a, c)", "path(c, X)", "path(X, X)"})
            expect_same(program + ":- query(" + query + ").\n");
    }
}

TEST(Demand, ArithmeticPassesBindingsOn) {
    const std::string factorial = ":- type(n, 0..200). :- pred(fact(n, n)).\n"
                                  "fact(0, 1).\n"
                                  "fact(N, F) :- N > 0, M is N - 1, fact(M, G), F is N * G.\n";
    EXPECT_EQ(atom_texts(grounded(factorial + ":- query(fact(3, F)).", true)),
              (std::vector<std::string>{"fact(0,1)", "fact(1,1)", "fact(2,2)", "fact(3,6)"}));
    EXPECT_EQ(rewritten(factorial + ":- query(fact(3, F))."),
              "fact(N,F) :- fact(M,G), 'demand fact'(N,_), F is N * G, M is N - 1, N > 0.\n"
              "'demand fact'(M,_) :- 'demand fact'(N,_), M is N - 1, N > 0.\n"
              "'demand fact'(3,_).\n");
    expect_same(factorial + ":- query(fact(4, F)).");
}

// The variables of what comes behind a call are nobody's business in the rule that follows it.
TEST(Demand, WhatComesLaterIsNotRangedOver) {
    const std::string text = ":- type(n, 0..9). :- pred(p(n, n)). :- pred(q(n)). :- pred(k(n)).\n"
                             "p(0, 4). p(1, 9). q(X) :- p(_, X), \\+ p(X, X).\n"
                             "k(X) :- p(0, X), q(X), M is X + 1, M >= 0.\n:- query(k(X)).\n";
    expect_same(text);
    EXPECT_EQ(atom_texts(grounded(text, true)).size(), 3U);
}

TEST(Demand, ListsAreTakenApartAsTheyAreCalled) {
    const std::string append =
        ":- type(e, [a, b, c, d]). :- list(l, e, f, nil). :- max_length(l, 12). :- pred(app(l, l, l)).\n"
        "app([], L, L).\n"
        "app([H|T], L, [H|R]) :- app(T, L, R).\n"
        ":- query(app([a, b], [c, d], Z)).\n";
    // In full it would have an instance for every list of up to twelve elements: 22 million of them.
    const GroundedText result = grounded(append, true);
    EXPECT_EQ(atom_texts(result), (std::vector<std::string>{"app([],[c,d],[c,d])", "app([b],[c,d],[b,c,d])",
                                                            "app([a,b],[c,d],[a,b,c,d])"}));
}

TEST(Demand, CallsThatGoDeeperWithoutEndAreNotFollowed) {
    const std::string endless = ":- type(number, [z]). :- functor(s(number), number). :- pred(n(number)).\n"
                                "n(X) :- n(s(X)).\n"
                                "n(s(s(z))).\n";
    expect_same(endless + ":- query(n(z)).");
    EXPECT_EQ(atom_texts(grounded(endless + ":- query(n(z)).", true)).size(), 3U);
}

}  // namespace
}  // namespace neumann
