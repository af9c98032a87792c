// Span of the caller's numbers for results, in single or double precision.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace neumann {

class NumberSpan {
public:
    NumberSpan() = default;                                                                    // nothing is wanted
    NumberSpan(std::span<float> numbers) : single_(numbers.data()), size_(numbers.size()) {}   // NOLINT: it is one
    NumberSpan(std::span<double> numbers) : double_(numbers.data()), size_(numbers.size()) {}  // NOLINT
    NumberSpan(std::vector<float>& numbers) : NumberSpan(std::span(numbers)) {}                // NOLINT
    NumberSpan(std::vector<double>& numbers) : NumberSpan(std::span(numbers)) {}               // NOLINT

    std::size_t size() const { return size_; }
    bool is_double() const { return double_ != nullptr; }
    void set(std::size_t place, float number) const {
        if (single_ != nullptr) {
            single_[place] = number;
        } else {
            double_[place] = static_cast<double>(number);
        }
    }
    void set(std::size_t place, double number) const {
        if (single_ != nullptr) {
            single_[place] = static_cast<float>(number);
        } else {
            double_[place] = number;
        }
    }

private:
    float* single_ = nullptr;
    double* double_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace neumann
