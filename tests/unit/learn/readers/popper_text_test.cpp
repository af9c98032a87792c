#include <gtest/gtest.h>

#include "learn/readers/popper_text.h"

namespace neumann::search {
namespace {

using Texts = std::vector<std::string>;

TEST(PopperText, StatementsEndAtFullStops) {
    EXPECT_EQ(statements("p(a). q(1.5).\nr :- X =.. L, s.% t\nu."), (Texts{"p(a)", "q(1.5)", "r :- X =.. L, s", "u"}));
    EXPECT_EQ(statements("p(a). q(b)"), (Texts{"p(a)", "q(b)"}));  // the last one without its full stop
    EXPECT_TRUE(statements("").empty());
    EXPECT_TRUE(statements(" \n % p(a).\n").empty());
}

TEST(PopperText, CommentsAreLeftOut) {
    EXPECT_EQ(statements("p(a % no. \n ). /* q(b). */ r(c). /* to the end"), (Texts{"p(a \n )", "r(c)"}));
}

TEST(PopperText, QuotesHoldAnything) {
    EXPECT_EQ(statements("p('a. b', \"% c. \"). q('it''s. so'). r('/*')."),
              (Texts{"p('a. b', \"% c. \")", "q('it''s. so')", "r('/*')"}));
    EXPECT_EQ(statements("p('a. b"), Texts{"p('a. b"});  // which nothing closes
}

TEST(PopperText, PlacesCoverTheirFullStops) {
    const std::string text = " p(a). % c\n'q r'(b).\ns";
    Texts found;
    for (const StatementPlace& place : statement_places(text))
        found.push_back(text.substr(place.begin, place.end - place.begin));
    EXPECT_EQ(found, (Texts{"p(a).", "'q r'(b).", "s"}));
}

TEST(PopperText, TuplesOfOneLoseTheirComma) {
    EXPECT_EQ(without_last_commas("type(f,(list,))"), "type(f,(list ))");
    EXPECT_EQ(without_last_commas("type(f,(list,\n ))"), "type(f,(list \n ))");
    EXPECT_EQ(without_last_commas("type(f,(a,b))"), "type(f,(a,b))");
    EXPECT_EQ(without_blanks(" a\t( b,\n c )"), "a(b,c)");
}

TEST(PopperText, ConstraintsOverNumbersBecomeConditions) {
    EXPECT_EQ(plain_background("p(X,Y) :- X #< 3, X #=< Y, Y #>= 1, X #\\= 2, X #> 0, Y #= X+1."),
              "p(X,Y) :- X  <  3, X  =<  Y, Y  >=  1, X  =\\=  2, X  >  0, Y  is  X+1.");
}

TEST(PopperText, DirectivesAreLeftOutButForDynamic) {
    EXPECT_EQ(plain_background("q(b). :- use_module(\n library(clpfd)).\n:- dynamic q/1.\np(a)."),
              "q(b).               \n                 \n:- dynamic q/1.\np(a).");
}

TEST(PopperText, LinesOfExamplesMayBeMarked) {
    EXPECT_EQ(plain_examples("#first\npos(f(a)).\n# neg(f(b)).\n"), "\npos(f(a)).\n\n");
    EXPECT_EQ(plain_examples("pos(f('#')).\n"), "pos(f('#')).\n");
}

}  // namespace
}  // namespace neumann::search
