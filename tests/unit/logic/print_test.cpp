#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "logic/print.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

const std::string vocabulary = R"(
:- type(color, [red, gray, 'Dark red', '1', 'it''s', 'a\\b', 'two\nlines', 'tab\there', 'größe', true]).
:- type(fruit, [red, apple]).
:- type(number, [0]).
:- functor(s(number), number).
:- functor(mix(color, color), color).
:- functor('odd name'(color), fruit).
:- list(colors, color, f, '*').
:- list(nested, colors, g, '*').
:- pred(p).
:- pred(c(color)).
:- pred(d(color, color)).
:- pred(r(fruit)).
:- pred(n(number)).
:- pred(l(colors)).
:- pred(ll(nested)).
:- pred(append(colors, colors, colors)).
:- pred('odd name'(fruit)).
:- pred(red(fruit)).
:- neural(color(color)).
)";

TEST(Print, FactsAndTerms) {
    const std::pair<const char*, const char*> cases[] = {
        {"p.", "p."},
        {"c(red).", "c(red)."},
        {"c( red ) .", "c(red)."},
        {"c('red').", "c(red)."},  // quotes only where they are needed
        {"c('Dark red').", "c('Dark red')."},
        {"c(1).", "c(1)."},
        {"c('it''s').", "c('it''s')."},
        {"c('it\\'s').", "c('it''s')."},
        {"c('a\\\\b').", "c('a\\\\b')."},
        {"c('two\\nlines').", "c('two\\nlines')."},
        {"c('tab\\there').", "c('tab\\there')."},
        {"c('größe').", "c('größe')."},
        {"c(true).", "c('true')."},
        {"r(red). c(red). red(red).", "r(red).\nc(red).\nred(red)."},
        {"'odd name'('odd name'(red)).", "'odd name'('odd name'(red))."},
        {"c(mix(red,mix(gray,red))).", "c(mix(red,mix(gray,red)))."},
        {"n(s(s(0))).", "n(s(s(0)))."},
        {"color(red).", "color(red)."},  // a fact may give a neural atom its initial value
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(canonical_items(vocabulary, text), expected) << text;
}

TEST(Print, ListsInBothSpellings) {
    const std::pair<const char*, const char*> cases[] = {
        {"l([]).", "l([])."},
        {"l('*').", "l([])."},
        {"l([red]).", "l([red])."},
        {"l(f(red,'*')).", "l([red])."},
        {"l([red,gray]).", "l([red,gray])."},
        {"l(f(red,f(gray,'*'))).", "l([red,gray])."},
        {"l([red|[gray]]).", "l([red,gray])."},
        {"l([red|f(gray,[])]).", "l([red,gray])."},
        {"ll([[red],[]]).", "ll([[red],[]])."},
        {"ll(g('*','*')).", "ll([[]])."},
        {"l([X|_]).", "l([X|_])."},
        {"l([X,Y|Z]) :- l(f(Y,Z)), c(X).", "l([X,Y|Z]) :- l([Y|Z]), c(X)."},
        {"append([H|T],Y,f(H,Z)) :- append(T,Y,Z).", "append([H|T],Y,[H|Z]) :- append(T,Y,Z)."},
        {"append('*',Y,Y).", "append([],Y,Y)."},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(canonical_items(vocabulary, text), expected) << text;
}

TEST(Print, WeightsAndProbabilities) {
    const std::pair<const char*, const char*> cases[] = {
        {"0.5::p.", "0.5::p."},
        {"1::p.", "p."},  // a fact of probability 1 is a fact
        {"1.0::p.", "p."},
        {"0::p.", "0::p."},
        {"1e-3::p.", "0.001::p."},
        {"1e-300::p.", "1e-300::p."},
        {"0.1::p.", "0.1::p."},
        {"0.30000000000000004::p.", "0.30000000000000004::p."},
        {"1::p :- c(X).", "1::p :- c(X)."},  // of a clause, it is a weight that may change
        {"0.25 :: p :- c(X).", "0.25::p :- c(X)."},
        {"0.5::c(X).", "0.5::c(X)."},
        {"0.5::c(red) :- true.", "0.5::c(red) :- true."},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(canonical_items(vocabulary, text), expected) << text;
}

TEST(Print, WeightsThatAreNone) {
    EXPECT_EQ(problems(":- pred(p).\n1.5::p."), "bad-weight@2");
    EXPECT_EQ(problems(":- pred(p).\n-0.5::p."), "bad-weight@2");
    EXPECT_EQ(problems(":- pred(p).\n2::p :- p."), "bad-weight@2");
    EXPECT_EQ(problems(":- pred(p).\n1e400::p."), "bad-weight@2");
    EXPECT_EQ(problems(":- pred(p).\nhalf::p."), "bad-weight@2");
    EXPECT_NE(problems(":- pred(p).\n.5::p."), "");
}

TEST(Print, TinyWeightsAreZero) { EXPECT_EQ(problems(":- pred(p).\n1e-400::p."), ""); }

TEST(Print, Clauses) {
    const std::pair<const char*, const char*> cases[] = {
        {"c(X) :- c(X).", "c(X) :- c(X)."},
        {"c(X):-d(X,Y),d(Y,_).", "c(X) :- d(X,Y), d(Y,_)."},
        {"c(X).", "c(X)."},
        {"c(X) :- true.", "c(X)."},
        {"c(_).", "c(_)."},
        {"c(red) :- true.", "c(red) :- true."},  // without its body it would be a fact
        {"p :- true.", "p :- true."},
        {"p :- true, c(red).", "p :- c(red)."},
        {"p :- c(red), c(red).", "p :- c(red), c(red)."},  // a set, but printed as written
        {"d(X,Y) :- c(X), X \\= Y, c(Y).", "d(X,Y) :- c(X), c(Y), X \\= Y."},
        {"d(X,Y) :- c(X), Y = mix(X,red).", "d(X,Y) :- c(X), Y = mix(X,red)."},
        {"p :- n(X), X \\= s(0).", "p :- n(X), X \\= s(0)."},
        {"l(X) :- l(X), X \\= [].", "l(X) :- l(X), X \\= []."},
        {"c(_A) :- d(_A,_B), c(_B).", "c(_A) :- d(_A,_B), c(_B)."},
        {"c(X) :- d(X, X) % why\n .", "c(X) :- d(X,X)."},
        {"red(X) :- red(X), 'odd name'(X).", "red(X) :- red(X), 'odd name'(X)."},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(canonical_items(vocabulary, text), expected) << text;
}

TEST(Print, FactsComeBeforeClausesAndQueriesBeforeBoth) {
    EXPECT_EQ(canonical_items(vocabulary, "p :- c(red). c(gray). :- query(c(X)). c(red)."),
              ":- query(c(X)).\nc(gray).\nc(red).\np :- c(red).");
}

// What a program prints, it reads again: printing that gives the same text.
TEST(Print, IsAFixedPoint) {
    for (const char* items :
         {"c(X) :- d(X,_), X \\= 'it''s'.", "1e-300::p. 0.1::c(red).", "l([X,Y|Z]) :- l([Y|Z]), c(X).",
          ":- query(ll([[red]|_])).", ":- say(l([X|_]), 'it''s {X}').", ":- say(p, 'plain_word').",
          "p :- true. c(red) :- true."}) {
        const std::string once = canonical_text(vocabulary + items);
        EXPECT_EQ(canonical_text(once), once);
    }
}

// `true` and `not` are words of the language only where they are not quoted.
TEST(Print, WordsOfTheLanguageKeepTheirQuotes) {
    const std::string predicates = ":- pred(true). :- type(t, [a]). :- pred(not(t)). :- pred(q). true. 'not'(a).\n";
    const std::string once = canonical_text(predicates + "q :- 'true'.\nq :- 'not'(a).");
    EXPECT_EQ(canonical_text(once), once);
    EXPECT_EQ(read(once).program.clauses.at(0).body.size(), 1U);
}

TEST(Print, VariablesWithoutNamesAreNumbered) {
    const ReadProgram result = read(":- type(t, [a]). :- pred(p(t, t)). p(X, Y).");
    const Clause& clause = result.program.clauses.at(0);
    EXPECT_EQ(print_atom(result.program.signature, result.program.terms, clause.head.predicate, clause.head.args),
              "p(_0,_1)");
}

TEST(Print, NamesAreQuotedWhereTheLanguageAsksForIt) {
    EXPECT_EQ(quote_name("red"), "red");
    EXPECT_EQ(quote_name("2nd_Place"), "2nd_Place");
    EXPECT_EQ(quote_name("Red"), "'Red'");
    EXPECT_EQ(quote_name("_x"), "'_x'");
    EXPECT_EQ(quote_name(""), "''");
    EXPECT_EQ(quote_name("*"), "'*'");
    EXPECT_EQ(quote_name("a-b"), "'a-b'");
    EXPECT_EQ(quote_name("it's"), "'it''s'");
}

// Numbers by successor nest as deep as their bound: printing must not recurse.
TEST(Print, DeepTermsNeedNoStack) {
    ReadProgram result = read(":- type(n, [0]). :- functor(s(n), n). :- pred(p(n)). p(0).");
    TermId term = result.program.facts[0].args[0];
    for (int i = 0; i < 200'000; ++i) term = result.program.terms.compound(FunctorId(0), std::array{term});
    EXPECT_EQ(print_term(result.program.signature, result.program.terms, term).size(), 3U * 200'000 + 1);
}

}  // namespace
}  // namespace neumann
