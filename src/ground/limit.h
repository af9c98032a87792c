// Stopping before the machine does: the memory limit and the exception that carries what was too large.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/memory.h"
#include "base/source.h"

namespace neumann {

// Names what was too large, where it stands, and what to do about it. Becomes a diagnostic.
class GroundingLimit : public std::runtime_error {
public:
    GroundingLimit(Span span, const std::string& message, std::string advice)
        : std::runtime_error(message), span_(span), advice_(std::move(advice)) {}
    Span span() const { return span_; }
    const std::string& advice() const { return advice_; }

private:
    Span span_;
    std::string advice_;
};

// Products and sums that stay at the largest value instead of wrapping around.
inline constexpr std::uint64_t saturated = std::numeric_limits<std::uint64_t>::max();
inline std::uint64_t saturating_mul(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? saturated : product;
}
inline std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? saturated : sum;
}

}  // namespace neumann
