// The vector functions of the kernels, in the instructions every processor has, against the standard library in double
// precision.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/lane_batch.h"
#include "reason/kernels/vector_math.h"

namespace neumann {
namespace {

using Vector = xsimd::batch<float>;

constexpr float least_normal = std::numeric_limits<float>::min();

float exp2_of(float t) { return kernels::vector_exp2(Vector(t)).get(0); }
float difference_of(float t, float t0) {
    return kernels::exp2_difference(Vector(t), kernels::exp2_parts(Vector(t0))).get(0);
}
float log1p_of(float x) { return kernels::vector_log1p(Vector(x)).get(0); }

// `count` numbers from one to the other, evenly spaced or, on a logarithmic scale, by even factors.
std::vector<float> evenly(double from, double to, int count) {
    std::vector<float> result;
    for (int i = 0; i <= count; ++i) result.push_back(static_cast<float>(from + (to - from) * i / count));
    return result;
}
std::vector<float> by_factors(double from, double to, int count) {
    std::vector<float> result;
    for (int i = 0; i <= count; ++i)
        result.push_back(static_cast<float>(from * std::pow(to / from, double(i) / count)));
    return result;
}

// The largest error in units in the last place, of normal results.
struct Worst {
    double ulps = 0;
    float at = 0;
    void check(float x, float actual, double expected) {
        int exponent = 0;
        std::frexp(expected, &exponent);
        const double error = std::abs(double(actual) - expected) / std::ldexp(1.0, exponent - 24);
        if (error <= ulps) return;
        ulps = error;
        at = x;
    }
    std::string text() const { return fmt::format("{:.3} ulp at {}", ulps, at); }
};

TEST(VectorMath, Exp2IsPreciseToTheLastPlaces) {
    Worst worst;
    for (const float t : evenly(-125.99, 126, 1'000'000)) worst.check(t, exp2_of(t), std::exp2(double(t)));
    for (const float t : by_factors(1e-30, 1, 10'000)) worst.check(-t, exp2_of(-t), std::exp2(double(-t)));
    EXPECT_LT(worst.ulps, 2) << worst.text();
}

TEST(VectorMath, Exp2OfAWholeNumberIsExact) {
    for (int n = -126; n <= 126; ++n) EXPECT_EQ(exp2_of(static_cast<float>(n)), std::ldexp(1.0F, n)) << n;
}

TEST(VectorMath, Exp2UnderflowsToExactlyZero) {
    for (const float t : {-127.0F, -127.4F, -128.0F, -150.0F, -1e4F, -1e30F, -std::numeric_limits<float>::infinity()})
        EXPECT_EQ(exp2_of(t), 0.0F) << t;
    // Between the last normal result and 0 it may be either.
    for (const float t : evenly(-127, -126.01, 1'000)) EXPECT_LT(exp2_of(t), least_normal) << t;
}

TEST(VectorMath, Exp2MinusOneKeepsTheRelativePrecisionOfSmallArguments) {
    Worst worst;
    for (const float t : by_factors(1e-35, 20, 200'000)) {
        worst.check(t, difference_of(t, 0), std::expm1(double(t) * std::log(2.0)));
        worst.check(-t, difference_of(-t, 0), std::expm1(double(-t) * std::log(2.0)));
    }
    EXPECT_LT(worst.ulps, 3) << worst.text();
}

// A value of 0 adds exactly 0 to a soft-or, whatever it is taken relative to.
TEST(VectorMath, DifferencesOfEqualPowersAreExactlyZero) {
    for (const float t : evenly(-140, 1, 100'000)) {
        ASSERT_EQ(difference_of(t, t), 0.0F) << t;
        ASSERT_FALSE(std::signbit(difference_of(t, t))) << t;
    }
}

TEST(VectorMath, DifferencesOfPowersArePreciseRelativeToTheLarger) {
    for (const float t0 : {-150.0F, -66.0F, -1.7F, 0.0F}) {
        for (const float t : evenly(-140, 0, 50'000)) {
            const double larger = std::exp2(double(std::max(t, t0)));
            ASSERT_NEAR(difference_of(t, t0), std::exp2(double(t)) - std::exp2(double(t0)), 2e-7 * larger + 1e-37)
                << t << " " << t0;
        }
    }
}

TEST(VectorMath, Log1pKeepsTheRelativePrecisionOfSmallArguments) {
    EXPECT_EQ(log1p_of(0), 0.0F);
    EXPECT_FALSE(std::signbit(log1p_of(0)));
    Worst worst;
    for (const float x : by_factors(1e-37, 3e38, 500'000)) worst.check(x, log1p_of(x), std::log1p(double(x)));
    for (const float x : evenly(0.3, 4, 500'000)) worst.check(x, log1p_of(x), std::log1p(double(x)));
    EXPECT_LT(worst.ulps, 3) << worst.text();
}

// Where the two ways of finding the mantissa meet, and where the exponent changes, nothing jumps back.
TEST(VectorMath, FunctionsHardlyEverFall) {
    const auto check = [](float from, float to, auto&& function) {
        float before = function(from);
        for (float x = from; x < to; x = std::nextafter(x, to)) {
            const float now = function(x);
            ASSERT_GE(now, before - 2 * std::abs(before) * 0x1p-23F) << x;
            before = now;
        }
    };
    for (const float seam : {0.41F, 0.41421354F, 1.8284271F, 4.656854F})
        check(seam * 0.9999F, seam * 1.0001F, log1p_of);
    for (const float seam : {-0.5F, -1.5F, -20.5F, 7.5F}) check(seam - 1e-3F, seam + 1e-3F, exp2_of);
}

TEST(VectorMath, ALaneDoesNotDependOnItsNeighbours) {
    alignas(64) float out[Vector::size];
    for (const float x : by_factors(1e-30, 100, 2'000)) {
        for (std::size_t lane = 0; lane < Vector::size; ++lane) {
            alignas(64) float in[Vector::size];
            for (std::size_t i = 0; i < Vector::size; ++i) in[i] = i == lane ? x : (i % 2 == 0 ? 0.0F : 126.0F);
            kernels::vector_exp2(Vector::load_aligned(in)).store_aligned(out);
            ASSERT_EQ(out[lane], exp2_of(x));
            kernels::vector_log1p(Vector::load_aligned(in)).store_aligned(out);
            ASSERT_EQ(out[lane], log1p_of(x));
        }
    }
}

}  // namespace
}  // namespace neumann

// The kernels call these functions by their bare names, with arguments of a type from xsimd: argument-dependent lookup
// must not prefer what xsimd has.
namespace neumann::kernels {
namespace {

template <class V>
V bare_exp2(V t) {
    return vector_exp2(t);
}
template <class V>
V bare_log1p(V x) {
    return vector_log1p(x);
}

TEST(VectorMath, BareNamesAreNotThoseOfXsimd) {
    using Vector = xsimd::batch<float>;
    int others = 0;
    for (int i = 0; i < 10'000; ++i) {
        const Vector t(-100.0F + 0.0199F * static_cast<float>(i));
        const Vector x(0.013F * static_cast<float>(i));
        others += bare_exp2(t).get(0) != kernels::vector_exp2(t).get(0) ? 1 : 0;
        others += bare_log1p(x).get(0) != kernels::vector_log1p(x).get(0) ? 1 : 0;
    }
    EXPECT_EQ(others, 0) << "values that differ from those of vector_math.h";
}

}  // namespace
}  // namespace neumann::kernels
