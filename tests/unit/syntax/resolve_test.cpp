#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "syntax/resolve.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

// `red` is a constant of two types, `x` a constant, a functor and two predicates.
const std::string vocabulary =
    ":- type(color, [red, blue, x]). :- type(fruit, [red, apple]). :- type(number, [0]). "
    ":- functor(s(number), number). :- functor(x(color), fruit). "
    ":- list(colors, color, f, nil). :- list(fruits, fruit, g, nil). "
    ":- pred(c(color)). :- pred(r(fruit)). :- pred(n(number)). :- pred(l(colors)). :- pred(m(fruits)). "
    ":- pred(x(color)). :- pred(x). :- pred(both(color, fruit)).\n";

std::string problem(const std::string& items) { return problems(vocabulary + items); }

TEST(Resolve, ThePlaceSaysWhichIsMeant) {
    const std::pair<const char*, const char*> cases[] = {
        {"c(red). r(red).", "c(red).\nr(red)."},         {"x(x). x. r(x(x)).", "x(x).\nx.\nr(x(x))."},
        {"l([red]). m([red]).", "l([red]).\nm([red])."}, {"l(nil). m(nil).", "l([]).\nm([])."},
        {"m([x(blue),apple]).", "m([x(blue),apple])."},
    };
    for (const auto& [items, expected] : cases) EXPECT_EQ(canonical_items(vocabulary, items), expected);
}

TEST(Resolve, TheSameWordOfTwoTypesIsTwoConstants) {
    const ReadProgram result = read(vocabulary + "c(red). r(red).");
    EXPECT_NE(result.program.facts[0].args[0], result.program.facts[1].args[0]);
}

TEST(Resolve, BothSpellingsOfAListAreOneTerm) {
    const ReadProgram result =
        read(vocabulary + "l([red,blue]). l(f(red,f(blue,nil))). l([red|[blue]]). l([red|f(blue,[])]).");
    ASSERT_EQ(result.program.facts.size(), 4U);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(result.program.facts[i].args[0], result.program.facts[0].args[0]);
}

TEST(Resolve, UnknownNames) {
    EXPECT_EQ(problem("bot(red, red)."), "unknown-predicate@2");
    EXPECT_EQ(problem("c(green)."), "unknown-constant@2");
    EXPECT_EQ(problem("n(t(0))."), "unknown-functor@2");
    EXPECT_EQ(problem("c(red,red)."), "wrong-arity@2");
    EXPECT_EQ(problem("n(s(0,0))."), "wrong-arity@2");
    EXPECT_EQ(problem("c(X) :- d(X)."), "unknown-predicate@2");
}

TEST(Resolve, TypesThatDoNotFit) {
    EXPECT_EQ(problem("c(apple)."), "type-clash@2");
    EXPECT_EQ(problem("c(s(0))."), "type-clash@2");
    EXPECT_EQ(problem("c([red])."), "type-clash@2");
    EXPECT_EQ(problem("l([apple])."), "type-clash@2");
    EXPECT_EQ(problem("both(X,X)."), "type-clash@2");
    EXPECT_EQ(problem("c(X) :- r(X)."), "type-clash@2");
    EXPECT_EQ(problem("c(X) :- c(X), r(Y), X = Y."), "type-clash@2");
    EXPECT_EQ(problem("l([X|X])."), "type-clash@2");
    EXPECT_EQ(problem(":- query(both(X,X))."), "type-clash@2");
}

TEST(Resolve, EveryMistakeOfAClauseIsReported) {
    EXPECT_EQ(problem("c(X) :- d(X),\n c(green),\n n(t(0))."),
              "unknown-predicate@2 unknown-constant@3 unknown-functor@4");
}

TEST(Resolve, AClauseWithMistakesIsNotKept) {
    const ReadProgram result = read(vocabulary + "c(red) :- c(green).\nc(blue) :- c(red).");
    EXPECT_EQ(result.program.clauses.size(), 1U);
}

TEST(Resolve, EveryUnderscoreIsAVariableOfItsOwn) {
    const ReadProgram result = read(vocabulary + "x :- both(_,_). c(_X) :- both(_X,_).");
    EXPECT_EQ(problems(result), "");
    EXPECT_EQ(result.program.clauses[0].variables.size(), 2U);
    EXPECT_EQ(result.program.clauses[1].variables.size(), 2U) << "_X is one variable wherever it stands";
}

TEST(Resolve, ConstraintsTakeTheirTypesFromAtoms) {
    EXPECT_EQ(problem("c(X) :- c(X), X = red."), "");
    EXPECT_EQ(problem("c(X) :- red \\= X, c(X)."), "");
    EXPECT_EQ(problem("l(X) :- l(X), X = [red|_]."), "");
    EXPECT_EQ(problem("c(red) :- c(X), apple \\= apple."), "") << "a word of one type only";
    EXPECT_EQ(problem("c(red) :- c(X), red = red."), "unsafe-variable@2") << "a word of two types";
    EXPECT_EQ(problem("c(red) :- A = B."), "unsafe-variable@2");
    EXPECT_EQ(problem("c(red) :- [A] = [B]."), "unsafe-variable@2");
    EXPECT_EQ(problem("c(red) :- _ = _."), "unsafe-variable@2");
}

TEST(Resolve, TheOrderOfConstraintsDoesNotMatter) {
    EXPECT_EQ(problem("c(X) :- c(X), B = X, A = B."), "");
    EXPECT_EQ(problem("c(X) :- c(X), A = B, B = X."), "");
}

TEST(Resolve, TypingMistakesAreAdvisedOn) {
    const auto advice = [](const std::string& items) {
        return rendered(read(":- type(color, [red, blue]). :- pred(color(color)).\n" + items));
    };
    EXPECT_NE(advice("colour(red).").find("did you mean 'color/1'?"), std::string::npos);
    EXPECT_NE(advice("color(rde).").find("did you mean 'red'?"), std::string::npos);
    EXPECT_NE(advice("color(X,Y).").find("'color/1' is declared here"), std::string::npos);
}

TEST(Resolve, OneLetterNamesAreNotTypingMistakesOfEachOther) {
    const ReadProgram result = read(":- pred(z). :- type(t, [a]).\nq(a).");
    EXPECT_EQ(rendered(result).find("did you mean"), std::string::npos) << rendered(result);
}

}  // namespace
}  // namespace neumann
