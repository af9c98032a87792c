// Natural number of any size: sums, products and decimal digits, for exact counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace neumann {

class WholeNumber {
public:
    WholeNumber() = default;
    explicit WholeNumber(std::uint32_t value) {
        if (value != 0) digits_.push_back(value);
    }

    std::size_t bits() const { return 32 * digits_.size(); }
    bool is_zero() const { return digits_.empty(); }

    WholeNumber& operator+=(const WholeNumber& other) {
        digits_.resize(std::max(digits_.size(), other.digits_.size()), 0);
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            carry += std::uint64_t{digits_[i]} + (i < other.digits_.size() ? other.digits_[i] : 0);
            digits_[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        if (carry != 0) digits_.push_back(static_cast<std::uint32_t>(carry));
        return *this;
    }
    friend WholeNumber operator*(const WholeNumber& a, const WholeNumber& b) {
        WholeNumber result;
        if (a.is_zero() || b.is_zero()) return result;
        result.digits_.assign(a.digits_.size() + b.digits_.size(), 0);
        for (std::size_t i = 0; i < a.digits_.size(); ++i) {
            std::uint64_t carry = 0;
            for (std::size_t j = 0; j < b.digits_.size(); ++j) {
                carry += std::uint64_t{a.digits_[i]} * b.digits_[j] + result.digits_[i + j];
                result.digits_[i + j] = static_cast<std::uint32_t>(carry);
                carry >>= 32;
            }
            result.digits_[i + b.digits_.size()] = static_cast<std::uint32_t>(carry);
        }
        if (result.digits_.back() == 0) result.digits_.pop_back();
        return result;
    }
    static WholeNumber power_of_two(std::size_t exponent) {
        WholeNumber result;
        result.digits_.assign(exponent / 32 + 1, 0);
        result.digits_.back() = std::uint32_t{1} << exponent % 32;
        return result;
    }

    std::string decimal() const {
        std::string text;
        for (std::vector<std::uint32_t> left = digits_; !left.empty();) {
            constexpr std::uint32_t base = 1'000'000'000;
            std::uint64_t rest = 0;
            for (std::size_t i = left.size(); i-- > 0;) {
                rest = rest << 32 | left[i];
                left[i] = static_cast<std::uint32_t>(rest / base);
                rest %= base;
            }
            while (!left.empty() && left.back() == 0) left.pop_back();
            for (int d = 0; d < 9 && (rest != 0 || !left.empty()); ++d) {
                text += static_cast<char>('0' + rest % 10);
                rest /= 10;
            }
        }
        if (text.empty()) return "0";
        std::ranges::reverse(text);
        return text;
    }

private:
    std::vector<std::uint32_t> digits_;  // of base 2^32, the lowest first; none of the highest is 0
};

}  // namespace neumann
