// Number with the precision of a double and a range that ends nowhere near: a double with an exponent of its own.
#pragma once

#include <algorithm>
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
        if (higher <= precision)
            *this = {mantissa_ + std::ldexp(other.mantissa_, static_cast<int>(-higher)), exponent_};
        return *this;
    }
    friend ScaledNumber operator-(ScaledNumber a, ScaledNumber b) {
        b.mantissa_ = -b.mantissa_;
        return a += b;
    }

private:
    ScaledNumber(double mantissa, std::int64_t exponent) {
        int power = 0;
        mantissa_ = std::frexp(mantissa, &power);
        exponent_ = mantissa_ == 0 ? 0 : exponent + power;
    }

    double mantissa_ = 0;  // 0, or of a size from 0.5 to 1
    std::int64_t exponent_ = 0;
};

}  // namespace neumann
