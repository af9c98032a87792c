#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "resolution/depth_first.h"
#include "resolution/library.h"
#include "resolution/rule_reader.h"

namespace neumann::resolution {
namespace {

using Texts = std::vector<std::string>;

struct Prolog {
    Rules rules;
    std::string error;

    explicit Prolog(const std::string& text) {
        SourceSet sources;
        Diagnostics diagnostics;
        read_rules(sources, sources.add("test.pl", text), rules, diagnostics, RuleLanguage::Prolog);
        EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics, sources);
        add_prolog_library(rules);
    }

    // The answers to answer(X), in Prolog's order.
    Texts answers(const DepthLimits& limits = {}) {
        DepthFirst resolution(rules);
        const Term open = rules.terms.variable(0);
        const DepthAnswers found = resolution.solve(rules.terms.compound("answer", {&open, 1}), limits);
        error = found.error;
        Texts texts;
        for (const Term atom : found.terms) texts.push_back(rules.terms.print(rules.terms.args(atom)[0]));
        return texts;
    }
};

Texts answers(const std::string& text) { return Prolog(text).answers(); }

TEST(DepthFirst, ClausesInTheirOrder) {
    EXPECT_EQ(answers("answer(X) :- p(X), X > 1. p(3). p(1). p(2). p(3)."), (Texts{"3", "2", "3"}));
}

TEST(DepthFirst, CutsAreLocal) {
    EXPECT_EQ(answers("answer(X) :- member(X, [1,2,3]), !."), Texts{"1"});
    EXPECT_EQ(answers("answer(X-Y) :- member(X, [1,2]), first(Y). first(Y) :- member(Y, [a,b]), !. first(c)."),
              (Texts{"1-a", "2-a"}));
    EXPECT_EQ(answers("answer(X) :- call((member(X, [1,2]), !)). answer(3)."), (Texts{"1", "3"}));
    EXPECT_EQ(answers("answer(X) :- \\+ \\+ (member(X, [1]), !). answer(3)."), (Texts{"_1", "3"}));
}

TEST(DepthFirst, IfThenElse) {
    EXPECT_EQ(answers("answer(X) :- ( member(X, [1,2]), X > 1 -> true ; X = 0 )."), Texts{"2"});
    EXPECT_EQ(answers("answer(X) :- ( fail -> true ; X = 0 ; X = 1 )."), (Texts{"0", "1"}));
    EXPECT_EQ(answers("answer(X) :- ( member(X, [1,2]) *-> true ; X = 0 )."), (Texts{"1", "2"}));
    EXPECT_EQ(answers("answer(X) :- ( fail *-> true ; X = 0 )."), Texts{"0"});
    EXPECT_EQ(answers("answer(X) :- ( true -> ! , X = 1 ; true ). answer(2)."), Texts{"1"});  // the cut is the clause's
}

TEST(DepthFirst, Collections) {
    EXPECT_EQ(answers("answer(L) :- findall(X-Y, (member(X,[1,2]), findall(Z, (member(Z,[3,4]), Z > X), Y)), L)."),
              Texts{"[1-[3,4],2-[3,4]]"});
    EXPECT_EQ(answers("answer(L) :- findall(X, fail, L)."), Texts{"[]"});
    EXPECT_EQ(answers("age(a,2). age(b,1). age(c,2). answer(A-L) :- setof(X, age(X,A), L)."),
              (Texts{"1-[b]", "2-[a,c]"}));
    EXPECT_EQ(answers("age(a,2). age(b,1). age(c,2). answer(L) :- setof(A, X^age(X,A), L)."), Texts{"[1,2]"});
    EXPECT_EQ(answers("answer(L) :- bagof(X, member(X, []), L)."), Texts{});
    EXPECT_EQ(answers("answer(N) :- aggregate_all(count, member(_, [a,a]), N)."), Texts{"2"});
    EXPECT_EQ(answers("answer(yes) :- forall(member(X,[1,2]), X > 0)."), Texts{"yes"});
}

TEST(DepthFirst, ListsAndText) {
    EXPECT_EQ(answers("answer(L) :- flatten([1,[2,[3]],[]], L)."), Texts{"[1,2,3]"});
    EXPECT_EQ(answers("answer(S) :- sort(0, @>=, [1,3,2,3], S)."), Texts{"[3,3,2,1]"});
    EXPECT_EQ(answers("answer(U) :- atom_chars(abc, [C|T]), upcase_atom(C, D), atom_chars(U, [D|T])."), Texts{"'Abc'"});
    EXPECT_EQ(answers("answer(C) :- atom_codes(C, [104,105])."), Texts{"hi"});
    EXPECT_EQ(answers("answer(N) :- atom_number('12', M), N is M + 1."), Texts{"13"});
    EXPECT_EQ(answers("answer(A+B) :- atom_concat(A, B, ab)."), (Texts{"''+ab", "a+b", "ab+''"}));
    EXPECT_EQ(answers("answer(I-O) :- partition(small, [1,5,2], I, O). small(X) :- X < 3."), Texts{"[1,2]-[5]"});
}

TEST(DepthFirst, TestsOfVariables) {
    EXPECT_EQ(answers("answer(X) :- inc(1,X). inc(A,B) :- ( nonvar(A) -> \\+ is_list(A) ; true ), succ(A,B)."),
              Texts{"2"});
    EXPECT_EQ(answers("answer(X) :- inc(X,3). inc(A,B) :- ( nonvar(A) -> \\+ is_list(A) ; true ), succ(A,B)."),
              Texts{"2"});
}

TEST(DepthFirst, ErrorsEndACallUnlessTheyAreCaught) {
    Prolog wrong("answer(X) :- member(X, [1,a]), 0 < X.");
    EXPECT_EQ(wrong.answers(), Texts{"1"});
    EXPECT_NE(wrong.error, "");
    EXPECT_EQ(answers("answer(X) :- member(X, [1,a,2]), catch(0 < X, _, fail)."), (Texts{"1", "2"}));
    Prolog unknown("answer(X) :- nobody(X).");
    unknown.answers();
    EXPECT_EQ(unknown.error, "unknown predicate 'nobody/1'");
}

TEST(DepthFirst, LimitsHold) {
    Prolog endless("answer(X) :- answer(X). answer(1).");
    EXPECT_EQ(endless.answers(), Texts{});
    EXPECT_EQ(endless.error, "there are too many steps");
    Prolog many("answer(X) :- between(1, 1000, X).");
    EXPECT_EQ(many.answers({.most_answers = 10}).size(), 10U);
    Prolog growing("answer(X) :- grow(X). grow(z). grow(s(X)) :- grow(X).");
    growing.answers({.most_steps = 1'000'000, .deepest_term = 100});
    EXPECT_EQ(growing.error, "terms grow without end");
}

TEST(DepthFirst, FactsComeAndGo) {
    Prolog prolog("answer(X) :- told(X, _).");
    prolog.rules.declared.insert({"told", 2});
    DepthFirst resolution(prolog.rules);
    Terms& terms = prolog.rules.terms;
    const Term open = terms.variable(0);
    const Term goal = terms.compound("answer", {&open, 1});
    EXPECT_TRUE(resolution.solve(goal, {}).terms.empty());
    const std::vector<Term> args = {terms.constant("a"), terms.constant("b")};
    resolution.set_facts({terms.compound("told", args)});
    EXPECT_EQ(resolution.solve(goal, {}).terms.size(), 1U);
    resolution.set_facts({});
    EXPECT_TRUE(resolution.solve(goal, {}).terms.empty());
}

}  // namespace
}  // namespace neumann::resolution
