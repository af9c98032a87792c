#include <cmath>

#include <gtest/gtest.h>

#include "base/half_float.h"
#include "base/rng.h"

namespace neumann {
namespace {

// By the definition of the format.
double defined(unsigned half) {
    const int exponent = static_cast<int>(half >> 10 & 31);
    const double fraction = half & 1023;
    const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    return (half >> 15) != 0 ? -size : size;
}

TEST(HalfFloat, EveryNumberGoesThereAndBack) {
    for (unsigned half = 0; half < 65536; ++half) {
        const float value = float_from_half(static_cast<std::uint16_t>(half));
        if ((half & 0x7c00) != 0x7c00) {
            ASSERT_EQ(value, defined(half)) << half;
        } else {
            ASSERT_EQ(std::isinf(value), (half & 0x3ff) == 0) << half;
            if (std::isnan(value)) continue;
        }
        ASSERT_EQ(std::signbit(value), half >> 15 != 0) << half;
        ASSERT_EQ(half_from_float(value), half);
    }
}

TEST(HalfFloat, RoundsToTheNearest) {
    // Between two neighbours: below the middle down, above it up, in the middle to the even one.
    for (unsigned half = 0; half < 0x7bff; ++half) {
        const double middle = (defined(half) + defined(half + 1)) / 2;
        const auto value = static_cast<float>(middle);
        ASSERT_EQ(value, middle);
        ASSERT_EQ(half_from_float(value), half + (half & 1)) << half;
        ASSERT_EQ(half_from_float(std::nextafter(value, 0.0F)), half) << half;
        ASSERT_EQ(half_from_float(std::nextafter(value, 1e9F)), half + 1) << half;
        ASSERT_EQ(half_from_float(-value), (half + (half & 1)) | 0x8000U) << half;
    }
    EXPECT_EQ(half_from_float(65519.996F), 0x7bff);
    EXPECT_EQ(half_from_float(65520.0F), 0x7c00);
    EXPECT_EQ(half_from_float(1e30F), 0x7c00);
    EXPECT_EQ(half_from_float(1e-30F), 0);
    EXPECT_TRUE(std::isnan(float_from_half(half_from_float(std::nanf("")))));
}

TEST(HalfFloat, TheUpperHalfOfAFloat) {
    EXPECT_EQ(float_from_bfloat(0x3f80), 1.0F);
    EXPECT_EQ(float_from_bfloat(0xc040), -3.0F);
    EXPECT_TRUE(std::isinf(float_from_bfloat(0x7f80)));
}

}  // namespace
}  // namespace neumann
