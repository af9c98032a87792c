#include <type_traits>

#include <gtest/gtest.h>

#include "base/ids.h"

namespace neumann {
namespace {

static_assert(!std::is_convertible_v<TermId, AtomId>, "an id of one kind is not an id of another");
static_assert(!std::is_convertible_v<std::uint32_t, AtomId>, "a count is not an id");

TEST(Ids, ADefaultIdIsNone) {
    EXPECT_TRUE(AtomId().is_none());
    EXPECT_EQ(AtomId(), AtomId::none());
    EXPECT_FALSE(AtomId(0).is_none());
    EXPECT_LT(AtomId(1), AtomId(2));
}

TEST(Ids, TheLastNumberIsRefusedBecauseItMeansNone) {
    EXPECT_EQ(checked_id<TermId>(0xfffffffeULL, "terms").value(), 0xfffffffeU);
    EXPECT_THROW(checked_id<TermId>(0xffffffffULL, "terms"), IdOverflow);
    EXPECT_THROW(checked_id<TermId>(0x100000000ULL, "terms"), IdOverflow);
}

TEST(Ids, AnAtomLeavesABitForTheSignOfItsLiteral) {
    EXPECT_EQ(checked_id<AtomId>(0x7ffffffeULL, "atoms").value(), 0x7ffffffeU);
    try {
        checked_id<AtomId>(0x7fffffffULL, "atoms");
        FAIL();
    } catch (const IdOverflow& overflow) {
        EXPECT_STREQ(overflow.what(), "more than 2147483646 atoms: too many for 32-bit ids");
    }
}

TEST(Ids, AnOverflowNamesWhatOverflows) {
    try {
        checked_id<ClauseId>(0xffffffffULL, "ground clauses");
        FAIL();
    } catch (const IdOverflow& overflow) {
        EXPECT_STREQ(overflow.what(), "more than 4294967294 ground clauses: too many for 32-bit ids");
    }
}

}  // namespace
}  // namespace neumann
