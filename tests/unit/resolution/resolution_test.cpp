#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "logic/print.h"
#include "resolution/built_ins.h"
#include "resolution/resolve_program.h"
#include "resolution/rule_reader.h"
#include "resolution/tabling.h"

namespace neumann::resolution {
namespace {

struct Resolved {
    Program program;
    Diagnostics diagnostics;

    std::string told() const { return render(diagnostics, *program.sources); }
    std::vector<std::string> queries() const {
        std::vector<std::string> texts;
        for (const Query& query : program.queries) texts.push_back(text(query.atom));
        return texts;
    }
    std::vector<std::string> clauses() const {
        std::vector<std::string> texts;
        for (const Clause& clause : program.clauses) texts.push_back(print_clause(program, clause));
        return texts;
    }
    double fact(const std::string& name) const {
        for (std::size_t i = 0; i < program.facts.size(); ++i) {
            if (program.signature.predicate(program.facts[i].predicate).name == name)
                return program.facts[i].probability;
        }
        return -1;
    }
    std::string text(const Atom& atom) const {
        return print_atom(program.signature, program.terms, atom.predicate, atom.args);
    }
};

Resolved resolved(const std::string& text, const std::vector<std::string>& queries = {}) {
    Resolved result;
    const std::uint32_t file = result.program.sources->add("test.pl", text);
    resolve_program(file, {queries, "--query"}, result.program, result.diagnostics);
    return result;
}

using Texts = std::vector<std::string>;

TEST(Resolution, FactsKeepTheirProbabilities) {
    const Resolved result = resolved("0.25::a(1). a(2). query(a(_)).");
    EXPECT_EQ(result.told(), "");
    EXPECT_EQ(result.queries(), (Texts{"a(1)", "a(2)"}));
    EXPECT_EQ(result.fact("a(1)"), 0.25);
    EXPECT_EQ(result.fact("a(2)"), 1);
}

TEST(Resolution, WeightsAreExpressions) {
    const Resolved result = resolved("1/8::a. 0.5*0.5::b. P::c :- P is 2/16. query(a). query(b). query(c).");
    EXPECT_EQ(result.told(), "");
    EXPECT_EQ(result.fact("a"), 0.125);
    EXPECT_EQ(result.fact("b"), 0.25);
    EXPECT_EQ(result.fact("c"), 0.125);
}

TEST(Resolution, AFirstValueIsAValue) { EXPECT_EQ(resolved("t(0.25)::a. query(a).").fact("a"), 0.25); }

TEST(Resolution, AnswersMayHaveVariables) {
    const Resolved result = resolved("a(f(_), 1). query(a(_, _)). query(a(_, 2)).");
    EXPECT_EQ(result.queries(), (Texts{"a(f(_1),1)", "a(_1,2)"}));
    EXPECT_EQ(result.fact("a(f(_1),1)"), 1);
    EXPECT_EQ(result.fact("a(_1,2)"), 0);
}

TEST(Resolution, WhatStandsTwiceIsTwoChances) {
    const Resolved result = resolved("0.5::a. 0.5::a. query(a).");
    ASSERT_EQ(result.clauses(), (Texts{"0.5::a :- true.", "0.5::a :- true."}));
    EXPECT_NE(result.program.clauses[0].choice, result.program.clauses[1].choice);
}

TEST(Resolution, HeadsOfADisjunctionAreOneChoice) {
    const Resolved result = resolved("0.3::a(X) ; 0.6::b(X) :- c(X). c(1). 0.5::c(2). query(a(_)). query(b(1)).");
    EXPECT_EQ(result.clauses(), (Texts{"0.3::a(1) :- true.", "0.6::b(1) :- true.", "0.3::a(2) :- c(2)."}));
    EXPECT_EQ(result.program.clauses[0].choice, result.program.clauses[1].choice);
    EXPECT_NE(result.program.clauses[0].choice, result.program.clauses[2].choice);
}

TEST(Resolution, AlternativesInABodyShareTheChance) {
    const Resolved result = resolved("0.5::a :- b ; c. 0.1::b. 0.2::c. query(a).");
    EXPECT_EQ(result.clauses(), (Texts{"'case 1' :- b.", "'case 1' :- c.", "0.5::a :- 'case 1'."}));
}

TEST(Resolution, CertainGoalsLeaveNoTrace) {
    const Resolved result = resolved("p(X) :- member(X,[1,2]), X > 1, q(X), \\+ r(X). 0.5::q(2). r(1). query(p(_)).");
    EXPECT_EQ(result.clauses(), (Texts{"p(2) :- q(2)."}));
}

TEST(Resolution, NegationOfWhatIsCertainEndsRecursion) {
    const Resolved result = resolved(
        "walk(X,S) :- member(X,S). walk(X,S) :- \\+ member(X,S), Y is (X+1) mod 5, walk(Y,[X|S]). query(walk(0,[])).");
    EXPECT_EQ(result.told(), "");
    EXPECT_EQ(result.fact("walk(0,[])"), 1);
}

TEST(Resolution, NegationWithOpenVariablesIsOfAll) {
    const Resolved result = resolved("0.1::a(1). 0.2::a(2). none :- \\+ a(_). query(none).");
    EXPECT_EQ(result.clauses(), (Texts{"none :- \\+ a(1), \\+ a(2)."}));
}

TEST(Resolution, RecursionEndsByTables) {
    const Resolved result =
        resolved("0.5::e(1,2). 0.5::e(2,1). p(X,Y) :- e(X,Y). p(X,Y) :- p(X,Z), e(Z,Y). query(p(1,_)).");
    EXPECT_EQ(result.queries(), (Texts{"p(1,2)", "p(1,1)"}));
    EXPECT_EQ(result.clauses(), (Texts{"p(1,2) :- e(1,2).", "p(1,2) :- e(1,2), p(1,1).", "p(1,1) :- p(1,2), e(2,1)."}));
}

TEST(Resolution, QueriesAndEvidenceHaveBodies) {
    const Resolved result = resolved(
        "0.5::a(1). 0.5::a(2). n(2). query(a(X)) :- n(X). evidence(a(X),false) :- between(1,1,X). evidence(\\+ b). 0.1::b.");
    EXPECT_EQ(result.queries(), Texts{"a(2)"});
    ASSERT_EQ(result.program.evidence.size(), 2U);
    EXPECT_FALSE(result.program.evidence[0].holds);
    EXPECT_FALSE(result.program.evidence[1].holds);
}

TEST(Resolution, FindallOfWhatIsRandomHasAListForEachSet) {
    const Resolved result = resolved("0.5::a(1). a(2). l(L) :- findall(X, a(X), L). query(l(_)).");
    EXPECT_EQ(result.queries(), (Texts{"l([1,2])", "l([2])"}));
    EXPECT_EQ(result.clauses(), (Texts{"l([1,2]) :- 'findall of'(1,a(1)).", "l([2]) :- \\+ 'findall of'(1,a(1)).",
                                       "'findall of'(1,a(1)) :- a(1)."}));
}

TEST(Resolution, OtherQueriesReplaceThoseOfTheProgram) {
    EXPECT_EQ(resolved("0.5::a(1). 0.5::a(2). query(a(1)).", {"a(2)"}).queries(), Texts{"a(2)"});
}

TEST(Resolution, ATermIsWrittenAsInProlog) {
    const Resolved result =
        resolved("a(f(X),[1,2|T],\"s\",'New York',-3,1.5) :- X = b, T = [c]. query(a(_,_,_,_,_,_)).");
    EXPECT_EQ(result.queries(), Texts{"a(f(b),[1,2,c],\"s\",'New York',-3,1.5)"});
}

TEST(Resolution, CallsWithoutEndAreCounted) {
    SourceSet sources;
    Diagnostics diagnostics;
    Rules rules;
    read_rules(sources, sources.add("test.pl", "p(X) :- Y is X - 1, p(Y)."), rules, diagnostics);
    GroundRules ground;
    Tabling tabling(rules, ground, {.most_calls = 100});
    const Term zero = rules.terms.number(std::int64_t{0});
    EXPECT_THROW(tabling.solve(rules.terms.compound("p", {&zero, 1})), ResolutionError);
}

// Lists are as deep as they are long: no walk over a term calls itself.
TEST(Resolution, LongListsWithVariables) {
    std::string list = "[";
    for (int i = 0; i < 200'000; ++i) list += "X" + std::to_string(i) + ",";
    const Resolved result = resolved("p(" + list + "a]). same(N) :- p(L), p(L), length(L, N). query(same(_)).");
    EXPECT_NE(result.told().find("without end"), std::string::npos) << result.told();  // beyond the depth of a call
}

TEST(Resolution, TermsAreWalkedWithoutRecursion) {
    Terms terms;
    Term deep = terms.variable(0);
    Term other = terms.variable(1);
    for (int i = 0; i < 500'000; ++i) {
        deep = terms.compound("+", std::array{deep, terms.number(std::int64_t{1})});
        other = terms.compound("+", std::array{other, terms.number(std::int64_t{1})});
    }
    Environment environment(2, no_term);
    EXPECT_TRUE(terms.unify(deep, other, environment));
    EXPECT_EQ(terms.apply(deep, environment), terms.apply(other, environment));
    EXPECT_EQ(terms.canonical(deep), terms.canonical(other));
    EXPECT_EQ(terms.shifted(deep, 1), other);
    EXPECT_LT(terms.order(deep, other), 0);
    EXPECT_EQ(terms.print(terms.canonical(deep)).size(), 2 + 2 * 500'000);
    Environment numbers{terms.number(std::int64_t{0})};
    EXPECT_EQ(as_double(evaluate(terms, terms.apply(deep, numbers))), 500'000);
    Environment endless(1, no_term);
    EXPECT_FALSE(terms.unify(terms.variable(0), deep, endless));  // no infinite terms
}

struct Refused {
    const char* name;
    const char* text;
    const char* told;
};
void PrintTo(const Refused& one, std::ostream* out) { *out << one.name; }

class Refusal : public testing::TestWithParam<Refused> {};
INSTANTIATE_TEST_SUITE_P(
    All, Refusal,
    testing::Values(
        Refused{"Cut", "a :- b, !.", "test.pl:1:9: error: not part of the language: the cut ('!')"},
        Refused{"Assert", "a :- assertz(b). query(a).", "test.pl:1:6-12: error: ProbLog's 'assertz/1' is not there"},
        Refused{"Unknown", "a :- b(1). query(a).", "test.pl:1:6: error: unknown predicate 'b/1'"},
        Refused{"Python", ":- use_module('code.py'). a. query(a).",
                "test.pl:1:1-25: error: 'code.py' is a program in Python"},
        Refused{"NoQuery", "0.5::a.", "error: the program asks for nothing"},
        Refused{"OpenChance", "0.5::a(X). query(a(_)).", "used before its variables are known"},
        Refused{"OpenArithmetic", "a :- X > 1. query(a).", "a variable in arithmetic has no value yet"},
        Refused{"TooProbable", "0.6::a ; 0.6::b. query(a).", "sum up to 1.2"},
        Refused{"WrongWeight", "P::a :- P is 1+1. query(a).", "the probability 2 is not between 0 and 1"},
        Refused{"ToBeLearned", "t(_)::a. query(a).", "test.pl:1:1: error: a probability to be learned has no value"},
        Refused{"EndlessTerms", "n(X) :- n(s(X)). query(n(0)).", "terms grow without end"},
        Refused{"LongList", "p(X) :- length(L,10000000000), X = L. query(p(_)).", "length makes a list of more than"},
        Refused{"WideTerm", "p(X) :- functor(X,f,1000000000). query(p(_)).", "a term of 0 to 10000 arguments"},
        Refused{"WideRange", "p(X) :- between(-9223372036854775807, 9223372036854775807, X). query(p(_)).",
                "between gives more than"},
        Refused{"Overflow", "p(X) :- succ(9223372036854775807, X). query(p(_)).", "too large for an integer"},
        Refused{"LargeFloor", "p(X) :- X is floor(1.0e300). query(p(_)).", "too large for an integer"},
        Refused{"QueryOfANumber", "p. query(3).", "test.pl:1:4-12: error: 3 is not a goal"},
        Refused{"FalseEvidence", "a :- fail. b. evidence(a). query(b).", "the evidence a cannot be true"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST_P(Refusal, SaysWhatAndWhere) {
    const Resolved result = resolved(GetParam().text);
    EXPECT_TRUE(result.diagnostics.has_errors());
    EXPECT_NE(result.told().find(GetParam().told), std::string::npos) << result.told();
}

}  // namespace
}  // namespace neumann::resolution
