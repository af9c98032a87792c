#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analyse/analyse.h"
#include "unit/read_program.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

const std::string vocabulary = ":- type(o, [a, b]). :- pred(p(o)). :- pred(q(o)). :- pred(r(o, o)). :- pred(k). "
                               "q(a). r(a, b).\n";

std::string found(const std::string& items) { return problems(read_and_analyse(vocabulary + items)); }

TEST(Singletons, AVariableThatOccursOnceIsSuspicious) {
    EXPECT_EQ(found("p(X) :- q(X), r(X,Y)."), "singleton-variable@2");
    EXPECT_EQ(found("p(X) :- q(X), r(X,_)."), "");
    EXPECT_EQ(found("p(X) :- q(X), r(X,_Y)."), "");
    EXPECT_EQ(found("p(X) :- r(X,Y), Y \\= a."), "") << "a constraint is an occurrence";
    EXPECT_EQ(found("p(X)."), "singleton-variable@2");
    EXPECT_EQ(found(":- query(p(X)). p(a)."), "") << "a query declares";
}

TEST(Singletons, FoldersAreSpared) {
    const TemporaryFolder folder;
    folder.write("consts.txt", "o:a\n");
    folder.write("preds.txt", "p:1:o\n");
    folder.write("clauses.txt", "p(X):-.\n");
    ReadProgram result;
    result.program = load_program(folder.path(), {}, result.diagnostics);
    analyse(result.program, {}, result.diagnostics);
    EXPECT_EQ(problems(result), "");
}

TEST(DuplicateClauses, AreKeptOnce) {
    ReadProgram result =
        read_and_analyse(vocabulary + "p(X) :- q(X), r(X,Y), q(Y).\np(A) :- r(A,B), q(B), q(A), q(A).\np(X) :- q(X).");
    EXPECT_EQ(problems(result), "duplicate-clause@3");
    EXPECT_EQ(result.program.clauses.size(), 2U);
}

TEST(DuplicateClauses, WithDifferentWeightsBothStay) {
    ReadProgram result = read_and_analyse(vocabulary + "0.5::p(X) :- q(X).\n0.6::p(Y) :- q(Y).\n0.5::p(Z) :- q(Z).");
    EXPECT_EQ(problems(result), "duplicate-clause@3 duplicate-clause@4");
    EXPECT_EQ(result.program.clauses.size(), 2U);
}

TEST(DuplicateClauses, IfOneMayChangeTheOneThatIsKeptMayChange) {
    for (const char* text : {"p(X) :- q(X).\n1::p(Y) :- q(Y).", "1::p(X) :- q(X).\np(Y) :- q(Y)."}) {
        ReadProgram result = read_and_analyse(vocabulary + text);
        EXPECT_EQ(problems(result), "duplicate-clause@3");
        ASSERT_EQ(result.program.clauses.size(), 1U);
        EXPECT_FALSE(result.program.clauses[0].certain) << text;
    }
}

TEST(DuplicateClauses, OneThatCanNeverFireIsLeftOut) {
    ReadProgram result = read_and_analyse(vocabulary + "p(X) :- q(X), X = a, X = b.\np(X) :- q(X), X \\= X.");
    EXPECT_EQ(problems(result), "never-true@2 never-true@3");
    EXPECT_TRUE(result.program.clauses.empty());
}

TEST(Facts, TheLastOfTwoHolds) {
    ReadProgram result = read_and_analyse(vocabulary + "0.3::p(a).\n0.4::p(b).\n0.5::p(a).");
    EXPECT_EQ(problems(result), "duplicate-fact@4");
    ASSERT_EQ(result.program.facts.size(), 4U);
    EXPECT_EQ(result.program.facts[3].probability, 0.5);
}

TEST(Facts, OneWrittenTwiceIsKeptOnceWithAWarning) {
    ReadProgram result = read_and_analyse(vocabulary + "0.5::p(a).\n0.4::p(b).\n0.5::p(a).");
    EXPECT_EQ(problems(result), "duplicate-fact@4");
    EXPECT_EQ(result.program.facts.size(), 4U);
}

TEST(Facts, ManyWrittenTwiceAreCounted) {
    std::string text = vocabulary;
    for (int i = 0; i < 100; ++i) text += "p(a).\n";
    ReadProgram result = read_and_analyse(text);
    const std::vector<Diagnostic> found = result.diagnostics.sorted();
    EXPECT_TRUE(std::ranges::any_of(
        found, [](const Diagnostic& one) { return one.message == "89 more facts stand twice; each is kept once"; }));
}

TEST(Facts, WhatCannotHoldIsLeftOut) {
    ReadProgram result = read_and_analyse(
        ":- type(n, [0]). :- functor(s(n), n). :- max_depth(n, 1). :- pred(p(n)). :- pred(d(n, n)). :- distinct(d/2).\n"
        "p(0). p(s(0)).\np(s(s(0))).\nd(0,0).\nd(0,s(0)).");
    EXPECT_EQ(problems(result), "impossible-fact@3 impossible-fact@4");
    EXPECT_EQ(result.program.facts.size(), 3U);
}

TEST(EmptyTypes, AreWorthAWarning) {
    EXPECT_EQ(problems(read_and_analyse(":- type(t, []).\n:- pred(p(t)).")), "empty-type@1");
    EXPECT_EQ(problems(read_and_analyse(":- type(t, []). :- functor(s(t), t).\n:- pred(p(t)).")), "empty-type@1");
    EXPECT_EQ(problems(read_and_analyse(":- type(u, [a]). :- type(t, []). :- functor(s(u), t). :- pred(p(t)).")), "");
}

TEST(EmptyTypes, InAFolderItMayBeATypingMistake) {
    const TemporaryFolder folder;
    folder.write("consts.txt", "color:red\n");
    folder.write("preds.txt", "p:1:colour\n");
    ReadProgram result;
    result.program = load_program(folder.path(), {}, result.diagnostics);
    analyse(result.program, {}, result.diagnostics);
    EXPECT_NE(rendered(result).find("did you mean 'color'?"), std::string::npos) << rendered(result);
}

TEST(Derivability, AGoalWithoutFactsOrClausesNeverHolds) {
    const std::string p = ":- pred(p). :- pred(q). :- pred(l). :- neural(n). :- learn(l/0, 1).\n";
    EXPECT_EQ(problems(read_and_analyse(p + "p :- q.")), "never-derived@2");
    EXPECT_EQ(problems(read_and_analyse(p + "p :- q. q.")), "");
    EXPECT_EQ(problems(read_and_analyse(p + "p :- q. q :- n.")), "");
    EXPECT_EQ(problems(read_and_analyse(p + "p :- l.")), "") << "it will be learned";
}

TEST(Safety, AVariableOfAConstraintOccursInAnAtom) {
    EXPECT_EQ(found("p(X) :- q(X), X \\= Y."), "singleton-variable@2 unsafe-variable@2");
    EXPECT_EQ(found("r(X,Y) :- q(X), X \\= Y."), "") << "in the head is enough";
    EXPECT_EQ(found("r(X,Y) :- X \\= Y."), "");
    EXPECT_EQ(found("p(X) :- q(X), X = Y, Y \\= a."), "") << "Y is X";
}

std::string repeated(const std::string& text, std::size_t count, const std::string& separator) {
    std::string result = text;
    for (std::size_t i = 1; i < count; ++i) result += separator + text;
    return result;
}

TEST(Limits, NumbersOfArgumentsAreBitsOfAMask) {
    const auto arity = [](std::size_t count) {
        return problems(read_and_analyse(":- type(t, [a]).\n:- pred(p(" + repeated("t", count, ",") +
                                         ")).\n:- functor(f(" + repeated("t", count, ",") +
                                         "), t). :- max_depth(t, 0)."));
    };
    EXPECT_EQ(arity(31), "");
    EXPECT_EQ(arity(32), "too-large@2 too-large@3");
}

TEST(Limits, ManyArgumentsJoinLikeFew) {
    const std::string types = repeated("o", 31, ",");
    const std::string text = ":- type(o, [a, b]). :- pred(p(" + types + ")). :- pred(q(o)). :- pred(z(o)).\n" +  //
                             "p(" + repeated("a", 30, ",") + ",b). p(" + repeated("b", 30, ",") + ",a). p(" +
                             repeated("a", 31, ",") + ").\n" + "z(b). q(X) :- z(X), p(" + repeated("_", 30, ",") +
                             ",X).";
    EXPECT_EQ(ground_text(text).ground.graph.conjunction_count(), 1U);
}

TEST(Limits, ClausesHaveASize) {
    const std::string t = ":- type(t, [a]). :- pred(p(t)). :- pred(k). p(a).\n";
    const auto variables = [](std::size_t count) {
        std::string goals;
        for (std::size_t i = 0; i < count; ++i) goals += fmt::format("{0}p(X{1}), p(X{1})", i == 0 ? "" : ", ", i);
        return "k :- " + goals + ".";
    };
    EXPECT_EQ(problems(read_and_analyse(t + variables(64))), "");
    EXPECT_EQ(problems(read_and_analyse(t + variables(65))), "too-large@2");
    EXPECT_EQ(problems(read_and_analyse(t + "k :- " + repeated("p(a)", 256, ", ") + ".")), "");
    EXPECT_EQ(problems(read_and_analyse(t + "k :- " + repeated("p(a)", 257, ", ") + ".")), "too-large@2");
}

// Each equation doubles the term: written out it would have 2^40 symbols.
TEST(Limits, EquationsCannotMakeAClauseTooLarge) {
    std::string text = "k :- p(X0), p(X40)";
    for (int i = 0; i < 40; ++i) text += fmt::format(", X{1} = f(X{0},X{0})", i, i + 1);
    EXPECT_EQ(problems(read_and_analyse(
                  ":- type(t, [a]). :- functor(f(t, t), t). :- max_depth(t, 2). :- pred(p(t)). :- pred(k). p(a).\n" +
                  text + ".")),
              "too-large@2");
}

TEST(Limits, ListsHaveALength) {
    const std::string t = ":- type(t, [a]). :- list(l, t, f, nil). :- pred(p(l)). :- pred(k).\n";
    EXPECT_EQ(problems(read_and_analyse(t + "p([" + repeated("a", 10'000, ",") + "]).")), "");
    EXPECT_EQ(problems(read_and_analyse(t + "p([" + repeated("a", 10'001, ",") + "]).")), "too-deep@2");
    EXPECT_EQ(problems(read_and_analyse(t + "k :- p([" + repeated("a", 10'000, ",") + "]).")), "too-large@2");
}

TEST(Limits, ListsOfListsHaveALength) {
    std::string list = "[]";
    for (int i = 0; i < 100; ++i) list = "[" + repeated("a", 9000, ",") + "|" + list + "]";
    EXPECT_NE(problems(read_and_analyse(":- type(t, [a]). :- list(l, t, f, nil). :- pred(p(l)). :- pred(k).\nk :- p(" +
                                        list + ").")),
              "");
}

}  // namespace
}  // namespace neumann
