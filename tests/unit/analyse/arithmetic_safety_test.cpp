// Which variables conditions on numbers bind, and which they need bound.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "logic/canonical.h"
#include "unit/read_conditions.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

constexpr const char* vocabulary =
    ":- type(n, [0, 1, 2]). :- pred(p(n)). :- pred(q(n)). :- pred(r(n,n)). p(0). r(0,0).\n";

ReadProgram analysed(const std::string& clause, const std::vector<std::string>& conditions) {
    ReadProgram result = read(vocabulary + clause);
    result.program.signature.type(result.program.signature.find_type("n")).open = true;
    add_conditions(result.program, 0, conditions, "n", "n");
    analyse(result.program, {}, result.diagnostics);
    return result;
}
std::string found(const std::string& clause, const std::vector<std::string>& conditions) {
    return problems(analysed(clause, conditions));
}

TEST(ArithmeticSafety, ComputationsBindFromWhatIsBound) {
    EXPECT_EQ(found("q(X) :- p(X).", {"X < 2"}), "");
    EXPECT_EQ(found("q(Y) :- p(X).", {"Y is X + 1"}), "");
    EXPECT_EQ(found("q(Y) :- p(X).", {"Y is Z * 2", "Z is X + 1"}), "") << "in any order";
    EXPECT_EQ(found("q(Y) :- p(X).", {"between(X, Z, Y)", "Z is X + 1"}), "");
    EXPECT_EQ(found("q(X) :- p(X).", {"between(1, 2, Z)", "Z < X"}), "");
    EXPECT_EQ(found("q(X) :- p(_).", {"X < 2"}), "") << "a head variable ranges over its type";
}

TEST(ArithmeticSafety, OthersNeedAnAtom) {
    EXPECT_EQ(found("q(X) :- p(X).", {"Z < X", "Z > 0"}), "unsafe-variable@2");
    EXPECT_EQ(found("q(X) :- p(X).", {"X is Z + 1", "Z =\\= Z"}), "unsafe-variable@2");
    EXPECT_EQ(found("q(X) :- p(X).", {"Y is Z + 1", "Z is Y - 1"}), "unsafe-variable@2") << "one needs the other";
    EXPECT_EQ(found("q(X) :- p(X).", {"between(1, Z, Y)", "Y > X", "Z > X"}), "unsafe-variable@2");
    const ReadProgram result = analysed("q(X) :- p(X).", {"Z < X", "Z > 0"});
    EXPECT_NE(rendered(result).find("variable 'Z' occurs only in a comparison"), std::string::npos) << rendered(result);
    EXPECT_NE(rendered(result).find("between(Low, High, X)"), std::string::npos) << rendered(result);
}

TEST(ArithmeticSafety, ExpressionsAreNoTypeOfTheProgram) {
    EXPECT_EQ(found("q(X) :- p(X).", {"X + 1 < 2"}), "") << "no warning that the type has no terms";
}

std::vector<std::uint32_t> key_of(const std::string& clause, const std::vector<std::string>& conditions) {
    ReadProgram result = read(vocabulary + clause);
    add_conditions(result.program, 0, conditions, "n", "n");
    const Clause& first = result.program.clauses[0];
    return canonicalize(result.program.terms, *solve_constraints(result.program.terms, first), first.variables.size())
        .key;
}

TEST(ArithmeticCanonical, OrderAndNamesMakeNoDifference) {
    const auto key = key_of("q(X) :- r(X,Y).", {"X < Y", "Y < 2", "0 is X mod 2"});
    EXPECT_EQ(key, key_of("q(A) :- r(A,B).", {"0 is A mod 2", "B < 2", "A < B", "A < B"}));
    EXPECT_NE(key, key_of("q(X) :- r(X,Y).", {"Y < X", "Y < 2", "0 is X mod 2"})) << "a comparison has a direction";
    EXPECT_NE(key, key_of("q(X) :- r(X,Y).", {"X =< Y", "Y < 2", "0 is X mod 2"}));
    EXPECT_NE(key, key_of("q(X) :- r(X,Y).", {"X < Y", "Y < 2"}));
}

TEST(ArithmeticCanonical, ConditionsTellVariablesApart) {
    EXPECT_EQ(key_of("q(0) :- r(X,Y), r(Y,X).", {"X < Y"}), key_of("q(0) :- r(X,Y), r(Y,X).", {"Y < X"}));
    EXPECT_EQ(key_of("q(0) :- p(X), p(Y).", {"X < Y"}), key_of("q(0) :- p(X), p(Y).", {"Y < X"}));
}

}  // namespace
}  // namespace neumann
