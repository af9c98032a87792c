#include <initializer_list>
#include <utility>

#include <gtest/gtest.h>

#include "ground/atoms.h"

namespace neumann {
namespace {

SharedArray<TermId> terms(std::initializer_list<std::uint32_t> values) {
    PodVector<TermId> result;
    for (std::uint32_t value : values) result.push_back(TermId(value));
    return SharedArray(std::move(result));
}

TEST(AtomTable, PredicatesOwnRanges) {
    AtomTable atoms(5);
    atoms.add(PredicateId(0), 0, terms({}));  // no atoms
    atoms.add(PredicateId(1), 2, terms({1, 2, 3, 4}));
    atoms.add(PredicateId(2), 1, terms({}));  // no arguments
    atoms.add(PredicateId(3), 0, terms({}));
    atoms.add(PredicateId(4), 1, terms({9}));
    EXPECT_EQ(atoms.size(), 4U);
    EXPECT_EQ(atoms.predicate_of(AtomId(0)), PredicateId(1));
    EXPECT_EQ(atoms.predicate_of(AtomId(1)), PredicateId(1));
    EXPECT_EQ(atoms.predicate_of(AtomId(2)), PredicateId(2));
    EXPECT_EQ(atoms.predicate_of(AtomId(3)), PredicateId(4));
    EXPECT_EQ(atoms.args_of(AtomId(1))[0], TermId(3));
    EXPECT_TRUE(atoms.args_of(AtomId(2)).empty());
    EXPECT_EQ(atoms.args_of(AtomId(3))[0], TermId(9));
    EXPECT_EQ(atoms.range(PredicateId(4)).first, 3U);
}

TEST(AtomTable, MoreAtomsThanIdsAreRefused) {
    AtomTable atoms(2);
    atoms.add(PredicateId(0), 0x7ffffff0U, {});
    EXPECT_THROW(atoms.add(PredicateId(1), 0x10U, {}), IdOverflow);
}

}  // namespace
}  // namespace neumann
