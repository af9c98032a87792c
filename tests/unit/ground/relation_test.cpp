#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "ground/relation.h"

namespace neumann {
namespace {

using Row = std::array<TermId, 2>;
Row row(std::uint32_t a, std::uint32_t b) { return {TermId(a), TermId(b)}; }
std::uint32_t insert(Relation& relation, const Row& args) { return relation.insert(args, Relation::hash(args)); }
std::vector<std::uint32_t> rows(std::span<const std::uint32_t> found) { return {found.begin(), found.end()}; }

TEST(Relation, RowsAreNumberedInOrderOfDiscovery) {
    Relation relation(2);
    EXPECT_EQ(insert(relation, row(5, 6)), 0U);
    EXPECT_EQ(insert(relation, row(6, 5)), 1U);
    EXPECT_EQ(insert(relation, row(5, 6)), 0U) << "known already";
    EXPECT_EQ(relation.size(), 2U);
    EXPECT_EQ(relation.row(1)[0], TermId(6));
    EXPECT_EQ(relation.find(row(7, 7), Relation::hash(row(7, 7))), SlotTable::absent);
}

TEST(Relation, WithoutArgumentsThereIsOneRow) {
    Relation relation(0);
    EXPECT_EQ(relation.find({}, Relation::hash({})), SlotTable::absent);
    EXPECT_EQ(relation.insert({}, Relation::hash({})), 0U);
    EXPECT_EQ(relation.insert({}, Relation::hash({})), 0U);
    EXPECT_EQ(relation.size(), 1U);
    EXPECT_TRUE(relation.row(0).empty());
}

TEST(Relation, AnIndexGroupsRowsByTheKnownArguments) {
    Relation relation(2);
    for (std::uint32_t a = 0; a < 3; ++a) {
        for (std::uint32_t b = 0; b < 3; ++b) insert(relation, row(a, b));
    }
    EXPECT_EQ(rows(relation.index(0b01).rows(relation, std::array{TermId(1)})), (std::vector<std::uint32_t>{3, 4, 5}));
    EXPECT_EQ(rows(relation.index(0b10).rows(relation, std::array{TermId(1)})), (std::vector<std::uint32_t>{1, 4, 7}));
    EXPECT_EQ(rows(relation.index(0b11).rows(relation, row(2, 0))), (std::vector<std::uint32_t>{6}));
    EXPECT_TRUE(relation.index(0b01).rows(relation, std::array{TermId(9)}).empty());
}

// Rows found while a round runs belong to the next one: an index takes them in only when told to.
TEST(Relation, AnIndexGrowsWhenItIsRefreshed) {
    Relation relation(2);
    insert(relation, row(1, 1));
    const RelationIndex& index = relation.index(0b01);
    insert(relation, row(1, 2));
    EXPECT_EQ(rows(index.rows(relation, std::array{TermId(1)})).size(), 1U);
    relation.refresh_indexes();
    EXPECT_EQ(rows(index.rows(relation, std::array{TermId(1)})), (std::vector<std::uint32_t>{0, 1}));
}

TEST(Relation, AnIndexAgreesWithScanningWhenItGrowsInManySteps) {
    constexpr std::uint64_t seed = 3;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Relation relation(2);
    const RelationIndex& index = relation.index(0b10);
    for (int step = 0; step < 30; ++step) {
        for (std::uint32_t i = rng.below(40); i > 0; --i) insert(relation, row(rng.below(50), rng.below(7)));
        relation.refresh_indexes();
        for (std::uint32_t key = 0; key < 8; ++key) {
            std::vector<std::uint32_t> expected;
            for (std::uint32_t r = 0; r < relation.size(); ++r) {
                if (relation.row(r)[1] == TermId(key)) expected.push_back(r);
            }
            ASSERT_EQ(rows(index.rows(relation, std::array{TermId(key)})), expected) << "step " << step;
        }
    }
}

// Few rows with large numbers of terms: groups are no longer numbered by them, and stay what they were.
TEST(Relation, AnIndexOutlivesTermsThatAreFarApart) {
    constexpr std::uint64_t seed = 4;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Relation relation(2);
    const RelationIndex& index = relation.index(0b01);
    for (std::uint32_t far = 1; far < 100'000'000; far *= 10) {
        for (int i = 0; i < 20; ++i) insert(relation, row(rng.below(5) * far, rng.below(1000)));
        relation.refresh_indexes();
        ASSERT_EQ(index.by_term(), far < 10'000);
        for (std::uint32_t key : {std::uint32_t{0}, far, 2 * far, 3 * far + 1}) {
            std::vector<std::uint32_t> expected;
            for (std::uint32_t r = 0; r < relation.size(); ++r) {
                if (relation.row(r)[0] == TermId(key)) expected.push_back(r);
            }
            ASSERT_EQ(rows(index.rows(relation, std::array{TermId(key)})), expected) << key;
        }
    }
    EXPECT_LT(relation.bytes(), 1'000'000U);
}

TEST(Relation, GivesItsRowsAway) {
    Relation relation(2);
    insert(relation, row(1, 2));
    relation.index(0b01);
    EXPECT_GT(relation.bytes(), 0U);
    const PodVector<TermId> released = relation.release_rows();
    ASSERT_EQ(released.size(), 2U);
    EXPECT_EQ(released[1], TermId(2));
}

}  // namespace
}  // namespace neumann
