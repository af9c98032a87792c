// Where a type needs a bound, and where it does not.
#include <string>

#include <gtest/gtest.h>

#include "unit/read_program.h"

namespace neumann {
namespace {

const std::string numbers = ":- type(n, [0]). :- functor(s(n), n). :- pred(p(n)). :- pred(q(n)). :- pred(k).\n";
const std::string bounded = numbers + ":- max_depth(n, 2).\n";

std::string found(const std::string& text, const AnalyseOptions& options = {}) {
    ReadProgram result = read(text);
    result.diagnostics.switch_off("all");
    if (!result.diagnostics.has_errors()) analyse(result.program, options, result.diagnostics);
    return problems(result);
}

TEST(Boundedness, AHeadVariableThatTheBodyDoesNotBind) {
    EXPECT_EQ(found(numbers + "p(X)."), "unbounded-type@2");
    EXPECT_EQ(found(numbers + "p(X) :- q(0)."), "unbounded-type@2");
    EXPECT_EQ(found(numbers + "p(X) :- q(X)."), "");
    EXPECT_EQ(found(numbers + "p(X) :- q(s(X))."), "") << "a part of a body's term is bound with it";
    EXPECT_EQ(found(numbers + "p(X) :- q(Y), X = Y."), "");
    EXPECT_EQ(found(bounded + "p(X)."), "");
}

TEST(Boundedness, AHeadThatBuildsWhatTheBodyDoesNotContain) {
    EXPECT_EQ(found(numbers + "p(s(X)) :- p(X)."), "unbounded-type@2");
    EXPECT_EQ(found(numbers + "p(s(X)) :- q(s(X))."), "");
    EXPECT_EQ(found(numbers + "p(X) :- q(s(s(X)))."), "");
    EXPECT_EQ(found(numbers + "p(s(s(0)))."), "") << "a ground term builds nothing more";
    EXPECT_EQ(found(numbers + "p(Y) :- q(X), Y = s(X)."), "unbounded-type@2");
    EXPECT_EQ(found(bounded + "p(s(X)) :- p(X)."), "");
}

TEST(Boundedness, ANeuralPredicateHasAnAtomForEveryTerm) {
    EXPECT_EQ(found(numbers + ":- neural(seen(n))."), "unbounded-type@2");
    EXPECT_EQ(found(bounded + ":- neural(seen(n))."), "");
}

TEST(Boundedness, FullGroundingNeedsEveryType) {
    EXPECT_EQ(found(numbers + "p(0)."), "");
    EXPECT_EQ(found(numbers + "p(0).", {.full_grounding = true}), "unbounded-type@1");
    EXPECT_EQ(found(bounded + "p(0).", {.full_grounding = true}), "");
}

TEST(Boundedness, GoalsAndQueriesNeedNone) {
    EXPECT_EQ(found(numbers + "k :- p(s(s(X))). p(0). :- query(p(X)). :- query(p(s(X)))."), "");
}

TEST(Boundedness, TheMessageSaysWhatToDo) {
    const std::string text = rendered(read_and_analyse(numbers + "p(s(X)) :- p(X)."));
    EXPECT_NE(text.find("'n'"), std::string::npos) << text;
    EXPECT_NE(text.find("s(X)"), std::string::npos) << text;
    EXPECT_NE(text.find(":- max_depth(n, "), std::string::npos) << text;
}

}  // namespace
}  // namespace neumann
