#include <string>

#include <gtest/gtest.h>

#include "logic/signature.h"

namespace neumann {
namespace {

TEST(Signature, NamesArePerKindArityAndType) {
    Signature signature;
    const TypeId color = signature.add_type("color", {});
    const TypeId shape = signature.add_type("shape", {});
    // One word for everything there is.
    const ConstantId red = signature.add_constant("x", color, {});
    const ConstantId red_shape = signature.add_constant("x", shape, {});
    const FunctorId unary = signature.add_functor("x", {color}, shape, {});
    const FunctorId binary = signature.add_functor("x", {color, color}, shape, {});
    const PredicateId none = signature.add_predicate("x", {}, false, {});
    const PredicateId one = signature.add_predicate("x", {color}, true, {});

    EXPECT_EQ(signature.find_constant("x", color), red);
    EXPECT_EQ(signature.find_constant("x", shape), red_shape);
    EXPECT_EQ(signature.find_functor("x", 1), unary);
    EXPECT_EQ(signature.find_functor("x", 2), binary);
    EXPECT_EQ(signature.find_predicate("x", 0), none);
    EXPECT_EQ(signature.find_predicate("x", 1), one);
    EXPECT_TRUE(signature.find_type("x").is_none());
    EXPECT_TRUE(signature.find_functor("x", 3).is_none());
    EXPECT_TRUE(signature.find_constant("y", color).is_none());
    EXPECT_FALSE(signature.predicate(none).neural);
    EXPECT_TRUE(signature.predicate(one).neural);
}

TEST(Signature, ManyConstantsAreFoundByNameAndTypeBeforeAndAfterRenumbering) {
    // Two types in turn, so that renumbering (by type) moves nearly all of them; names of every length modulo a word.
    constexpr std::size_t count = 5000;
    Signature signature;
    const TypeId types[] = {signature.add_type("even", {}), signature.add_type("odd", {})};
    const auto name = [](std::size_t i) { return std::string(i % 5, 'c') + std::to_string(i); };
    for (std::size_t i = 0; i < count; ++i) signature.add_constant(name(i), types[i % 2], {});
    signature.add_constant("", types[0], {});
    for (const bool renumbered : {false, true}) {
        if (renumbered) signature.renumber_constants();
        for (std::size_t i = 0; i < count; ++i) {
            const ConstantId found = signature.find_constant(name(i), types[i % 2]);
            ASSERT_FALSE(found.is_none()) << name(i);
            EXPECT_EQ(signature.constant(found).name, name(i));
            EXPECT_EQ(signature.constant(found).type, types[i % 2]);
            EXPECT_TRUE(signature.find_constant(name(i), types[1 - i % 2]).is_none()) << name(i);
        }
        EXPECT_FALSE(signature.find_constant("", types[0]).is_none());
        EXPECT_TRUE(signature.find_constant("", types[1]).is_none());
        EXPECT_TRUE(signature.find_constant(std::string(1, '\0'), types[0]).is_none());
    }
    EXPECT_EQ(signature.find_constant(name(0), types[0]), ConstantId(0U));
    EXPECT_EQ(signature.find_constant(name(1), types[1]), ConstantId(std::uint32_t{count / 2 + 1}));
}

TEST(Signature, ATypeKnowsItsConstantsAndFunctors) {
    Signature signature;
    const TypeId number = signature.add_type("number", {});
    const ConstantId zero = signature.add_constant("0", number, {});
    const FunctorId successor = signature.add_functor("s", {number}, number, {});
    EXPECT_EQ(signature.type(number).constants, std::vector{zero});
    EXPECT_EQ(signature.type(number).functors, std::vector{successor});
}

TEST(Signature, ACellTakesAnElementAndARestOfItsOwnType) {
    Signature signature;
    const TypeId color = signature.add_type("color", {});
    const TypeId colors = signature.add_type("colors", {});
    EXPECT_TRUE(signature.is_cell(signature.add_functor("f", {color, colors}, colors, {})));
    EXPECT_FALSE(signature.is_cell(signature.add_functor("g", {colors, color}, colors, {})));
    EXPECT_FALSE(signature.is_cell(signature.add_functor("h", {colors, colors}, colors, {})));
    EXPECT_FALSE(signature.is_cell(signature.add_functor("i", {color}, colors, {})));
}

}  // namespace
}  // namespace neumann
