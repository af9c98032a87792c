#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "ground/canonical_order.h"

namespace neumann {
namespace {

TEST(CanonicalOrder, DoesNotDependOnTheOrderOfCreation) {
    const FunctorId f(0);
    const FunctorId g(1);
    // b a f(b) g(a) f(a) x f(f(a)): created in a wild order
    TermTable terms;
    const TermId b = terms.constant(ConstantId(1));
    const TermId fb = terms.compound(f, std::array{b});
    const TermId a = terms.constant(ConstantId(0));
    const TermId ga = terms.compound(g, std::array{a});
    const TermId fa = terms.compound(f, std::array{a});
    const TermId ffa = terms.compound(f, std::array{fa});
    terms.variable(0);
    const CanonicalTermOrder order(terms);
    EXPECT_EQ(order.size(), 6U) << "ground terms only";
    const std::vector<TermId> expected = {a, b, fa, fb, ga, ffa};
    for (std::uint32_t i = 0; i < expected.size(); ++i) EXPECT_EQ(order.rank(expected[i]), i);
}

TEST(CanonicalOrder, NothingToRank) { EXPECT_EQ(CanonicalTermOrder(TermTable()).size(), 0U); }

// Long rows do not fit into the packed key: the same order must come out of the other way of sorting.
TEST(CanonicalOrder, RowsAreSortedLexicographically) {
    constexpr std::uint64_t seed = 9;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    TermTable terms;
    for (std::uint32_t c = 0; c < 40; ++c) terms.constant(ConstantId(39 - c));
    const CanonicalTermOrder order(terms);
    for (std::size_t arity : {1U, 2U, 5U, 20U}) {
        const std::uint32_t count = 200;
        PodVector<TermId> rows;
        for (std::size_t i = 0; i < count * arity; ++i) rows.push_back(TermId(rng.below(arity > 5 ? 2 : 40)));
        std::vector<std::vector<std::uint32_t>> expected;
        for (std::uint32_t r = 0; r < count; ++r) {
            expected.emplace_back();
            for (std::size_t i = 0; i < arity; ++i) expected.back().push_back(order.rank(rows[r * arity + i]));
        }
        std::ranges::sort(expected);
        const PodVector<TermId> before = rows;
        const SortedRows sorted = sort_rows(order, std::move(rows), arity, count);
        for (std::uint32_t r = 0; r < count; ++r) {
            for (std::size_t i = 0; i < arity; ++i) {
                ASSERT_EQ(order.rank(sorted.rows[r * arity + i]), expected[r][i]) << "arity " << arity;
                ASSERT_EQ(sorted.rows[sorted.new_row[r] * arity + i], before[r * arity + i]) << "arity " << arity;
            }
        }
    }
}

TEST(CanonicalOrder, ARowWithoutArguments) {
    const SortedRows sorted = sort_rows(CanonicalTermOrder(TermTable()), {}, 0, 1);
    ASSERT_EQ(sorted.new_row.size(), 1U);
    EXPECT_EQ(sorted.new_row[0], 0U);
}

}  // namespace
}  // namespace neumann
