// Number with the precision of a double and a range that ends nowhere near: a double with an exponent of its own.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace neumann {

class ScaledNumber {
public:
    ScaledNumber() = default;
    explicit ScaledNumber(double value) : ScaledNumber(value, 0) {}

    // As a double: 0 if it is too small for one.
    double value() const {
        constexpr std::int64_t beyond = 4'000;  // any double is 0 or infinite then
        return std::ldexp(mantissa_, static_cast<int>(std::clamp(exponent_, -beyond, beyond)));
    }
    double log10() const { return std::log10(mantissa_) + static_cast<double>(exponent_) * std::log10(2.0); }
    bool is_zero() const { return mantissa_ == 0; }

    friend ScaledNumber operator*(ScaledNumber a, ScaledNumber b) {
        return {a.mantissa_ * b.mantissa_, a.exponent_ + b.exponent_};
    }
    friend ScaledNumber operator/(ScaledNumber a, ScaledNumber b) {
        return {a.mantissa_ / b.mantissa_, a.exponent_ - b.exponent_};
    }
    ScaledNumber& operator+=(ScaledNumber other) {
        if (other.is_zero()) return *this;
        if (is_zero()) return *this = other;
        constexpr std::int64_t precision = 64;  // more bits than a double has
        const std::int64_t higher = exponent_ - other.exponent_;
        if (higher < -precision) return *this = other;
        if (higher <= precision) *this = {mantissa_ + other.mantissa_ * power_of_two(-higher), exponent_};
        return *this;
    }
    friend ScaledNumber operator-(ScaledNumber a, ScaledNumber b) {
        b.mantissa_ = -b.mantissa_;
        return a += b;
    }

private:
    // From 2^-1022 to 2^1023, by the bits of a double.
    static double power_of_two(std::int64_t exponent) {
        return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
    }
    // A product or sum of two mantissas is out of range by one place in most cases.
    ScaledNumber(double mantissa, std::int64_t exponent) {
        const double size = std::abs(mantissa);
        if (size >= 0.25 && size < 2) {
            const int up = size < 0.5 ? 1 : 0;
            const int down = size >= 1 ? 1 : 0;
            mantissa_ = mantissa * (up != 0 ? 2.0 : down != 0 ? 0.5 : 1.0);
            exponent_ = exponent - up + down;
            return;
        }
        int power = 0;
        mantissa_ = std::frexp(mantissa, &power);
        exponent_ = mantissa_ == 0 ? 0 : exponent + power;
    }

    double mantissa_ = 0;  // 0, or of a size from 0.5 to 1
    std::int64_t exponent_ = 0;
};

}  // namespace neumann
