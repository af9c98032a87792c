#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "logic/arithmetic.h"

namespace neumann {
namespace {

std::string value(Operation operation, Number left, Number right = std::int64_t{0}) {
    try {
        return print(apply(operation, left, right));
    } catch (const ArithmeticError& error) {
        return error.what();
    }
}

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

Number integer(std::int64_t value) { return value; }

TEST(Arithmetic, IntegersStayIntegers) {
    EXPECT_EQ(value(Operation::Add, integer(2), integer(3)), "5");
    EXPECT_EQ(value(Operation::Subtract, integer(2), integer(3)), "-1");
    EXPECT_EQ(value(Operation::Multiply, integer(-2), integer(3)), "-6");
    EXPECT_EQ(value(Operation::Divide, integer(6), integer(3)), "2");
    EXPECT_EQ(value(Operation::Minimum, integer(6), integer(3)), "3");
    EXPECT_EQ(value(Operation::Maximum, integer(6), integer(3)), "6");
    EXPECT_EQ(value(Operation::Absolute, integer(-6)), "6");
    EXPECT_EQ(value(Operation::Negate, integer(6)), "-6");
}

TEST(Arithmetic, AFloatMakesAFloat) {
    EXPECT_EQ(value(Operation::Add, 0.5, integer(3)), "3.5");
    EXPECT_EQ(value(Operation::Multiply, 0.5, integer(2)), "1.0");
    EXPECT_EQ(value(Operation::Divide, integer(1), integer(2)), "0.5");
    EXPECT_EQ(value(Operation::Absolute, -0.5), "0.5");
}

// As in SWI-Prolog: // goes towards zero, mod has the sign of the divisor.
TEST(Arithmetic, DivisionOfNegativeIntegers) {
    EXPECT_EQ(value(Operation::IntegerDivide, integer(-7), integer(2)), "-3");
    EXPECT_EQ(value(Operation::Modulo, integer(-7), integer(2)), "1");
    EXPECT_EQ(value(Operation::Modulo, integer(7), integer(-2)), "-1");
    EXPECT_EQ(value(Operation::Modulo, integer(least), integer(-1)), "0");
}

TEST(Arithmetic, WhatHasNoValueIsAnError) {
    EXPECT_EQ(value(Operation::Divide, integer(1), integer(0)), "a division by zero");
    EXPECT_EQ(value(Operation::Modulo, integer(1), integer(0)), "a division by zero");
    EXPECT_EQ(value(Operation::Divide, 1.0, integer(0)), "a division by zero");
    EXPECT_EQ(value(Operation::IntegerDivide, 1.0, integer(2)), "'//' takes integers");
    EXPECT_EQ(value(Operation::Add, integer(largest), integer(1)), "the result is too large for an integer of 64 bits");
    EXPECT_EQ(value(Operation::Negate, integer(least)), "the result is too large for an integer of 64 bits");
    EXPECT_EQ(value(Operation::IntegerDivide, integer(least), integer(-1)),
              "the result is too large for an integer of 64 bits");
    EXPECT_EQ(value(Operation::Multiply, 1e300, 1e300), "the result is too large for a number");
}

TEST(Arithmetic, NumbersAreComparedByValue) {
    EXPECT_LT(compare(integer(2), integer(10)), 0);
    EXPECT_EQ(compare(integer(1), 1.0), 0);
    EXPECT_GT(compare(1.5, integer(1)), 0);
}

TEST(Arithmetic, NamesOfNumbers) {
    for (const char* name : {"0", "7", "-12", "0.5", "1.0", "-2.5", "9223372036854775807"}) {
        ASSERT_TRUE(parse_number(name)) << name;
        EXPECT_EQ(print(*parse_number(name)), name);
    }
    EXPECT_EQ(print(*parse_number("007")), "7");
    EXPECT_EQ(print(*parse_number("1e3")), "1000.0");
    for (const char* name : {"", "-", "1st", "a", ".5", "- 1", "9223372036854775808", "inf", "1e999"})
        EXPECT_FALSE(parse_number(name)) << name;
}

TEST(Arithmetic, OperationsByTheirSpelling) {
    EXPECT_EQ(find_operation("-", 2), Operation::Subtract);
    EXPECT_EQ(find_operation("-", 1), Operation::Negate);
    EXPECT_EQ(find_operation("mod", 2), Operation::Modulo);
    EXPECT_FALSE(find_operation("abs", 2));
    EXPECT_FALSE(find_operation("sin", 1));
}

}  // namespace
}  // namespace neumann
