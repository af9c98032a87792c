#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/slot_table.h"

namespace neumann {
namespace {

std::uint32_t hash_of(std::uint32_t value) {
    WordHash hash(0);
    hash.add(value);
    return hash.finish();
}

TEST(SlotTable, FindsWhatWasInsertedAndNothingElse) {
    std::vector<std::uint32_t> contents;
    SlotTable table;
    for (std::uint32_t i = 0; i < 5000; ++i) {
        table.insert(hash_of(i * 3), i);
        contents.push_back(i * 3);
    }
    EXPECT_EQ(table.size(), 5000U);
    for (std::uint32_t value = 0; value < 15'000; ++value) {
        const std::uint32_t found = table.find(hash_of(value), [&](std::uint32_t n) { return contents[n] == value; });
        ASSERT_EQ(found, value % 3 == 0 ? value / 3 : SlotTable::absent) << value;
    }
}

TEST(SlotTable, ReservingChangesNothingButItsSize) {
    SlotTable table;
    table.insert(hash_of(1), 1);
    table.reserve(1000);
    const std::size_t bytes = table.bytes();
    for (std::uint32_t i = 2; i <= 1000; ++i) table.insert(hash_of(i), i);
    EXPECT_EQ(table.bytes(), bytes) << "nothing had to move";
    for (std::uint32_t i = 1; i <= 1000; ++i) ASSERT_EQ(table.candidate(hash_of(i)), i);
    EXPECT_EQ(table.candidate(hash_of(1001)), SlotTable::absent);
    table.reserve(10);
    EXPECT_EQ(table.bytes(), bytes) << "never smaller";
}

// The table knows only hashes: contents are told apart by the callback even if all hashes are the same.
TEST(SlotTable, SurvivesEqualHashes) {
    SlotTable table;
    for (std::uint32_t i = 0; i < 100; ++i) table.insert(7, i);
    for (std::uint32_t i = 0; i < 100; ++i) {
        ASSERT_EQ(table.find(7, [&](std::uint32_t n) { return n == i; }), i);
    }
    EXPECT_EQ(table.find(7, [](std::uint32_t) { return false; }), SlotTable::absent);
}

TEST(SlotTable, AnEmptyTableHoldsNothing) {
    const SlotTable table;
    table.prefetch(1);
    EXPECT_EQ(table.find(1, [](std::uint32_t) { return true; }), SlotTable::absent);
    EXPECT_EQ(table.bytes(), 0U);
}

TEST(WordHash, DependsOnEveryWordAndTheirOrder) {
    const auto hash = [](std::uint32_t seed, std::vector<std::uint32_t> words) {
        WordHash result(seed);
        for (std::uint32_t word : words) result.add(word);
        return result.finish();
    };
    EXPECT_EQ(hash(0, {1, 2}), hash(0, {1, 2}));
    EXPECT_NE(hash(0, {1, 2}), hash(0, {2, 1}));
    EXPECT_NE(hash(0, {1, 2}), hash(1, {1, 2}));
    EXPECT_NE(hash(0, {1}), hash(0, {1, 0}));
}

}  // namespace
}  // namespace neumann
