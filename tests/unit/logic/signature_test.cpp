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
