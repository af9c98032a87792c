#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "logic/term.h"

namespace neumann {
namespace {

constexpr FunctorId f(0);
constexpr FunctorId g(1);

TEST(TermTable, EqualTermsHaveEqualIds) {
    TermTable terms;
    const TermId a = terms.constant(ConstantId(0));
    const TermId x = terms.variable(0);
    EXPECT_EQ(terms.constant(ConstantId(0)), a);
    EXPECT_EQ(terms.variable(0), x);
    EXPECT_EQ(terms.compound(f, std::array{a, x}), terms.compound(f, std::array{a, x}));
    EXPECT_EQ(terms.size(), 3U);
}

TEST(TermTable, DifferentTermsHaveDifferentIds) {
    TermTable terms;
    const TermId a = terms.constant(ConstantId(0));
    const TermId b = terms.constant(ConstantId(1));
    EXPECT_NE(a, b);
    EXPECT_NE(a, terms.variable(0));  // the number is the same, the kind is not
    EXPECT_NE(terms.compound(f, std::array{a, b}), terms.compound(f, std::array{b, a}));
    EXPECT_NE(terms.compound(f, std::array{a}), terms.compound(g, std::array{a}));
    EXPECT_NE(terms.compound(f, std::array{a}), terms.compound(f, std::array{a, a}));
}

TEST(TermTable, KnowsWhatATermIsMadeOf) {
    TermTable terms;
    const TermId a = terms.constant(ConstantId(5));
    const TermId x = terms.variable(7);
    const TermId term = terms.compound(f, std::array{a, x});
    EXPECT_EQ(terms.kind(a), TermKind::Constant);
    EXPECT_EQ(terms.constant_of(a), ConstantId(5));
    EXPECT_EQ(terms.kind(x), TermKind::Variable);
    EXPECT_EQ(terms.variable_index(x), 7U);
    EXPECT_EQ(terms.kind(term), TermKind::Compound);
    EXPECT_EQ(terms.functor_of(term), f);
    ASSERT_EQ(terms.args(term).size(), 2U);
    EXPECT_EQ(terms.args(term)[1], x);
    EXPECT_TRUE(terms.args(a).empty());
}

TEST(TermTable, GroundMeansWithoutVariables) {
    TermTable terms;
    const TermId a = terms.constant(ConstantId(0));
    const TermId x = terms.variable(0);
    EXPECT_TRUE(terms.is_ground(terms.compound(f, std::array{a, a})));
    EXPECT_FALSE(terms.is_ground(x));
    EXPECT_FALSE(terms.is_ground(terms.compound(g, std::array{terms.compound(f, std::array{a, x})})));
}

TEST(TermTable, DepthIsTheNumberOfNestedFunctors) {
    TermTable terms;
    const TermId a = terms.constant(ConstantId(0));
    const TermId one = terms.compound(g, std::array{a});
    const TermId two = terms.compound(f, std::array{one, a});
    EXPECT_EQ(terms.depth(a), 0U);
    EXPECT_EQ(terms.depth(one), 1U);
    EXPECT_EQ(terms.depth(two), 2U);
}

TEST(TermTable, FindingDoesNotMake) {
    TermTable terms;
    const TermId a = terms.constant(ConstantId(0));
    EXPECT_TRUE(terms.find_compound(f, std::array{a}).is_none());
    EXPECT_EQ(terms.size(), 1U);
    const TermId term = terms.compound(f, std::array{a});
    EXPECT_EQ(terms.find_compound(f, std::array{a}), term);
}

TEST(TermTable, ArgumentsAreOlderThanTheirTerm) {
    TermTable terms;
    TermId term = terms.constant(ConstantId(0));
    for (int i = 0; i < 100'000; ++i) {
        const TermId next = terms.compound(f, std::array{term});
        ASSERT_LT(term, next);
        term = next;
    }
    EXPECT_EQ(terms.depth(term), 100'000U);
    EXPECT_GT(terms.bytes(), 100'000U);
}

TEST(TermTable, NumbersBeyondItsBitsAreRefused) {
    TermTable terms;
    EXPECT_NO_THROW(terms.variable((1U << 30) - 1));
    EXPECT_THROW(terms.variable(1U << 30), IdOverflow);
}

}  // namespace
}  // namespace neumann
