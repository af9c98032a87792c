// Clauses as they are written, and the flat rules that they become.
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "unit/read_program.h"

namespace neumann {
namespace {

const std::string vocabulary =
    ":- type(t, [a, b]). :- type(digit, 0..9). :- pred(p(t)). :- pred(q(t)). :- pred(r(t, t)). :- pred(s). :- pred(w). "
    ":- pred(n(digit)). :- pred(m(digit)).\n";

// The clauses alone.
std::string lowered(const std::string& items) {
    const ReadProgram result = read(vocabulary + items);
    EXPECT_EQ(rendered(result), "") << items;
    std::string text;
    for (const Clause& clause : result.program.clauses) text += print_clause(result.program, clause) + "\n";
    return text;
}

TEST(Lower, Disjunction) {
    const std::pair<const char*, const char*> cases[] = {
        {"p(X) :- q(X) ; r(X,X).", "p(X) :- q(X).\np(X) :- r(X,X).\n"},
        {"p(X) :- r(X,Y), (q(Y) ; s).", "p(X) :- r(X,Y), 'p or 1'(Y).\n'p or 1'(Y) :- q(Y).\n'p or 1'(_) :- s.\n"},
        {"0.5::p(X) :- q(X) ; r(X,X).", "0.5::p(X) :- 'p or 1'(X).\n'p or 1'(X) :- q(X).\n'p or 1'(X) :- r(X,X).\n"},
        {"s :- q(X), w ; r(X,Y), q(Y).", "s :- q(_), w.\ns :- r(_,Y), q(Y).\n"},
        {"p(X) :- q(X), (s ; true).", "p(X) :- q(X), 'p or 1'.\n'p or 1' :- s.\n'p or 1' :- true.\n"},
        {"p(X) :- q(X), (s ; w, (s ; w)).",
         "p(X) :- q(X), 'p or 1'.\n'p or 1' :- s.\n'p or 1' :- w, 'p or 2'.\n'p or 2' :- s.\n'p or 2' :- w.\n"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(lowered(text), expected) << text;
}

TEST(Lower, ProbabilitiesToBeLearned) {
    const std::pair<const char*, const char*> cases[] = {
        {"t(_)::s.", "t(_)::s.\n"},
        {"t( 0.25 ) ::p(X) :- q(X).", "t(0.25)::p(X) :- q(X).\n"},
        {"t(_)::p(X) :- q(X) ; r(X,X).", "t(_)::p(X) :- 'p or 1'(X).\n'p or 1'(X) :- q(X).\n'p or 1'(X) :- r(X,X).\n"},
        {"0.1::s ; t(_)::w ; t(0.5)::p(a) :- q(a).", "0.1::s :- q(a).\nt(_)::w :- q(a).\nt(0.5)::p(a) :- q(a).\n"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(lowered(text), expected) << text;
    const ReadProgram result = read("t(_)::a. t(0.5)::a. b :- t(X), c(X). t(1). c(1).");
    EXPECT_EQ(rendered(result), "");
    ASSERT_EQ(result.program.clauses.size(), 3U);
    EXPECT_TRUE(result.program.clauses[0].parameter->open);
    EXPECT_FALSE(result.program.clauses[1].parameter->open);
    EXPECT_FALSE(result.program.clauses[0].certain);
    EXPECT_EQ(result.program.facts.size(), 2U);
}

TEST(Lower, Negation) {
    const std::pair<const char*, const char*> cases[] = {
        {"p(X) :- q(X), \\+ r(X,a).", "p(X) :- q(X), \\+ r(X,a).\n"},
        {"p(X) :- q(X), not s.", "p(X) :- q(X), \\+ s.\n"},
        {"p(X) :- q(X), \\+ r(X,_).", "p(X) :- q(X), \\+ 'p not 1'(X).\n'p not 1'(X) :- r(X,_).\n"},
        {"p(X) :- q(X), \\+ (r(X,Y), q(Y)).", "p(X) :- q(X), \\+ 'p not 1'(X).\n'p not 1'(X) :- r(X,Y), q(Y).\n"},
        {"p(X) :- q(X), \\+ (s ; r(X,X)).",
         "p(X) :- q(X), \\+ 'p not 1'(X).\n'p not 1'(_) :- s.\n'p not 1'(X) :- r(X,X).\n"},
        {"p(X) :- q(X), \\+ X = a, \\+ \\+ s.", "p(X) :- q(X), s, X \\= a.\n"},
        {"p(X) :- q(X), forall(r(X,Y), q(Y)).", "p(X) :- q(X), \\+ 'p not 1'(X).\n'p not 1'(X) :- r(X,Y), \\+ q(Y).\n"},
        {"s :- exists(q(_)), once(w).", "s :- 's exists 1', w.\n's exists 1' :- q(_).\n"},
        {"m(X) :- n(X), \\+ X < 3, \\+ X =:= 5.", "m(X) :- n(X), X >= 3, X =\\= 5.\n"},
        {"m(X) :- n(X), forall(n(Y), Y =< X).", "m(X) :- n(X), \\+ 'm not 1'(X).\n'm not 1'(X) :- n(Y), Y > X.\n"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(lowered(text), expected) << text;
}

// What gives a variable its value goes along where no atom could.
TEST(Lower, ArithmeticGoesAlong) {
    EXPECT_EQ(lowered("s :- n(X), Y is X + 1, \\+ (m(Z), Z > Y)."),
              "s :- n(X), \\+ 's not 1'(Y,X), Y is X + 1.\n's not 1'(Y,X) :- m(Z), Z > Y, Y is X + 1.\n");
}

TEST(Lower, AnnotatedDisjunctions) {
    const ReadProgram result =
        read(vocabulary + "0.3::p(X) ; 0.7::r(X,Y) :- q(X), q(Y). 0.2::s ; 0.2::w. 0.5::p(a) :- s.");
    EXPECT_EQ(rendered(result), "");
    const std::vector<Clause>& clauses = result.program.clauses;
    ASSERT_EQ(clauses.size(), 6U);
    EXPECT_TRUE(clauses[0].choice && clauses[0].choice == clauses[1].choice);
    EXPECT_FALSE(clauses[2].choice.has_value());
    EXPECT_TRUE(clauses[3].choice && clauses[3].choice == clauses[4].choice);
    EXPECT_NE(clauses[0].choice, clauses[3].choice);
    EXPECT_FALSE(clauses[5].choice.has_value());
    EXPECT_EQ(clauses[1].weight, 0.7);
    EXPECT_EQ(result.program.facts.size(), 0U);
}

// A choice is made for each instance of the body, whichever of its variables the heads have.
TEST(Lower, AnAtomTellsTheInstancesOfADisjunctionApart) {
    EXPECT_EQ(
        lowered("0.3::s ; 0.7::w :- q(X), r(X,_)."),
        "0.3::s :- 's case 1'(X,_Any1).\n0.7::w :- 's case 1'(X,_Any1).\n's case 1'(X,_Any1) :- q(X), r(X,_Any1).\n");
    EXPECT_EQ(lowered("0.3::s ; 0.7::w :- r(X,Y)."), "0.3::s :- r(X,Y).\n0.7::w :- r(X,Y).\n");
    EXPECT_EQ(lowered("0.3::p(a) ; 0.7::w :- s, \\+ w."), "0.3::p(a) :- s, \\+ w.\n0.7::w :- s, \\+ w.\n");
}

TEST(Lower, AuxiliaryClausesAreCertainAndTheirNamesNew) {
    ReadProgram result = read(vocabulary + ":- pred('p or 1'(t)).\n0.5::p(X) :- q(X), (r(X,a) ; r(X,b)).");
    EXPECT_EQ(rendered(result), "");
    ASSERT_EQ(result.program.clauses.size(), 3U);
    EXPECT_FALSE(result.program.clauses[0].certain);
    EXPECT_TRUE(result.program.clauses[1].certain);
    EXPECT_EQ(print_clause(result.program, result.program.clauses[1]), "'p or 2'(X) :- r(X,a).");
    // A text that is added later has names of its own, too.
    add_clauses(result.program, "more", "p(X) :- q(X), (r(a,X) ; r(b,X)).", result.diagnostics);
    EXPECT_EQ(rendered(result), "");
    EXPECT_EQ(print_clause(result.program, result.program.clauses.back()), "'p or 3'(X) :- r(b,X).");
}

TEST(Lower, QueriesAndEvidenceMayBeFacts) {
    const ReadProgram result = read(vocabulary + "query(p(X)). evidence(s). evidence(\\+ q(a)). evidence(w, false).");
    EXPECT_EQ(rendered(result), "");
    EXPECT_EQ(result.program.queries.size(), 1U);
    ASSERT_EQ(result.program.evidence.size(), 3U);
    EXPECT_TRUE(result.program.evidence[0].holds);
    EXPECT_FALSE(result.program.evidence[1].holds);
    EXPECT_FALSE(result.program.evidence[2].holds);
    EXPECT_EQ(result.program.facts.size(), 0U);
    const ReadProgram declared = read(vocabulary + ":- pred(query(t)).\nquery(a).");
    EXPECT_EQ(declared.program.facts.size(), 1U);
    EXPECT_EQ(declared.program.queries.size(), 0U);
}

TEST(Lower, SingletonsAreThoseOfTheClauseAsWritten) {
    const auto warnings = [](const std::string& items) { return problems(read_and_analyse(vocabulary + items)); };
    EXPECT_EQ(warnings("q(a). s. w. r(a,a). p(X) :- q(X), (s ; r(X,X)).\ns :- q(X) ; r(X,X)."), "");
    EXPECT_EQ(warnings("q(a). r(a,a). p(X) :- q(X), \\+ r(X,Y)."), "singleton-variable@2");
    EXPECT_EQ(warnings("q(a). 0.5::p(X) ; 0.5::s :- q(X)."), "");
    EXPECT_EQ(warnings("q(a). 0.5::s ; 0.5::p(X) :- q(X)."), "");
    EXPECT_EQ(warnings("q(a). 0.5::s ; 0.5::w :- q(X)."), "singleton-variable@2");
}

// Printed and read again, the same text comes out.
TEST(Lower, RoundTrip) {
    const std::string text = vocabulary +
                             ":- type(level, -3..3). :- pred(l(level)). :- neural(d(t, digit)). :- exclusive(d/2, 2).\n"
                             ":- type(word, ['007', 7, 1.5, \"it's\", 1st, '1e3', -2, 'X', is, mod, x]).\n"
                             ":- pred(v(word)). :- pred('7'(t)). :- pred(between(t, t, t)). :- pred('forall'(t, t)).\n"
                             ":- query(p(X)). evidence(s). evidence(\\+ w). l(-3).\n"
                             "v('007'). v(7). v(1.5). v(\"it's\"). v(1st). v('1e3'). v(-2). v('is'). '7'(a).\n"
                             "m(X) :- n(Y), X is (Y + 1) * 2 - -3 // (Y - (1 - 2)) mod 5.\n"
                             "m(X) :- n(Y), X is -Y * -(3) / min(Y, max(2, abs(-Y))), X =\\= Y + 0.5, X =:= Y.\n"
                             "m(X) :- between(1, 4 + 1, X), X >= 1, X =< 2, X > 0, X < 9, X \\= 3.\n"
                             "0.3::p(X) ; 0.25::r(X,Y) ; 0.1::s :- q(X), q(Y), \\+ (r(X,Z), q(Z)).\n"
                             "0.5::s ; 0.5::w. p(X) :- q(X), (\\+ r(X,_) ; s), 'forall'(X,X), 'between'(X,X,X).\n";
    const std::string once = canonical_text(text);
    EXPECT_EQ(canonical_text(once), once);
    const ReadProgram first = read(text);
    const ReadProgram second = read(once);
    ASSERT_EQ(first.program.clauses.size(), second.program.clauses.size());
    for (std::size_t c = 0; c < first.program.clauses.size(); ++c) {
        EXPECT_EQ(first.program.clauses[c].choice, second.program.clauses[c].choice);
        EXPECT_EQ(first.program.clauses[c].body.size(), second.program.clauses[c].body.size());
        EXPECT_EQ(first.program.clauses[c].constraints.size(), second.program.clauses[c].constraints.size());
    }
    EXPECT_EQ(first.program.evidence.size(), second.program.evidence.size());
}

}  // namespace
}  // namespace neumann
