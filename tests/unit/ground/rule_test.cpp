#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ground/rule.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

const std::string vocabulary =
    ":- type(e, [a, b]). :- list(l, e, f, nil). :- max_length(l, 2). :- pred(p(e)). :- pred(q(e, e)). :- pred(d(e, e)). "
    ":- distinct(d/2). :- pred(reverse(l, l, l)). :- pred(z(l)).\n";

struct Compiled {
    ReadProgram read;
    std::optional<Rule> rule;

    explicit Compiled(const std::string& clause) : read(neumann::read(vocabulary + clause)) {
        EXPECT_FALSE(read.diagnostics.has_errors()) << rendered(read);
        const TermBounds bounds(read.program.signature);
        rule = compile_rule(read.program, bounds, read.program.clauses[0]);
    }
    std::string slot_name(Slot slot) const {
        const std::uint32_t variable = rule->slot_variable[slot];
        return variable == Rule::no_variable ? "-" : read.program.clauses[0].variables[variable].name;
    }
};

TEST(Rule, EveryDistinctTermHasASlot) {
    const Compiled reverse("reverse([H|T],A,R) :- reverse(T,[H|A],R).");
    ASSERT_TRUE(reverse.rule.has_value());
    EXPECT_EQ(reverse.rule->slot_count(), 6U);  // H T A R [H|T] [H|A]
    ASSERT_EQ(reverse.rule->functors.size(), 2U);
    EXPECT_EQ(reverse.rule->head.args[0], reverse.rule->functors[0].result);
    EXPECT_EQ(reverse.slot_name(reverse.rule->functors[0].args[0]), "H");
    EXPECT_EQ(reverse.slot_name(reverse.rule->head.args[1]), "A");
    EXPECT_EQ(reverse.rule->body[0].args[2], reverse.rule->head.args[2]) << "R is one slot";
}

TEST(Rule, InnerTermsComeBeforeThoseThatContainThem) {
    const Compiled nested("z([X,Y]).");
    ASSERT_TRUE(nested.rule.has_value());
    ASSERT_EQ(nested.rule->functors.size(), 2U);
    EXPECT_EQ(nested.rule->functors[1].args[1], nested.rule->functors[0].result);
}

TEST(Rule, GroundTermsAreValuesNotFunctors) {
    const Compiled ground("p(X) :- q(X,a), z([a,b]).");
    ASSERT_TRUE(ground.rule.has_value());
    EXPECT_TRUE(ground.rule->functors.empty());
    EXPECT_EQ(ground.rule->slot_count(), 3U);
}

TEST(Rule, RepeatedGoalsAreOne) {
    EXPECT_EQ(Compiled("p(X) :- q(X,Y), q(X,Y).").rule->body.size(), 1U);
    EXPECT_EQ(Compiled("p(X) :- q(X,Y), q(Y,X).").rule->body.size(), 2U);
}

TEST(Rule, DistinctPredicatesAskForDifferentArguments) {
    EXPECT_EQ(Compiled("p(X) :- d(X,Y).").rule->different.size(), 1U);
    EXPECT_EQ(Compiled("p(X) :- d(X,Y), d(Y,X), X \\= Y.").rule->different.size(), 1U) << "the same condition once";
    EXPECT_EQ(Compiled("d(X,Y) :- p(X), p(Y).").rule->different.size(), 1U);
    EXPECT_FALSE(Compiled("p(X) :- d(X,X).").rule.has_value());
    EXPECT_FALSE(Compiled("p(X) :- p(X), d(a,a).").rule.has_value());
    EXPECT_TRUE(Compiled("p(X) :- p(X), d(a,b).").rule->different.empty());
}

TEST(Rule, AGroundTermThatDoesNotExistMakesAClauseImpossible) {
    EXPECT_FALSE(Compiled("p(X) :- p(X), z([a,b,a]).").rule.has_value());
    EXPECT_TRUE(Compiled("p(X) :- p(X), z([a,b]).").rule.has_value());
}

TEST(Rule, TheOrderOfRulesDoesNotDependOnTheFile) {
    const auto order = [](const std::string& text) {
        ReadProgram result = read(vocabulary + text);
        const TermBounds bounds(result.program.signature);
        std::vector<std::string> clauses;
        for (const Rule& rule : compile_rules(result.program, bounds)) {
            clauses.push_back(print_clause(result.program, result.program.clauses[rule.clause]));
        }
        return clauses;
    };
    EXPECT_EQ(order("p(X) :- q(X,X). p(X) :- q(X,a). 0.5::p(X) :- q(X,a)."),
              order("0.5::p(X) :- q(X,a). p(X) :- q(X,a). p(X) :- q(X,X)."));
}

}  // namespace
}  // namespace neumann
