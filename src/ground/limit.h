// Exceptions of grounding: limits of size and time, and expressions without a value.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/diagnostics.h"
#include "base/memory.h"
#include "base/source.h"

namespace neumann {

// Why grounding cannot go on, where, and how to solve it. Becomes a diagnostic.
class GroundingError : public std::runtime_error {
public:
    GroundingError(Code code, Span span, const std::string& message, std::string advice)
        : std::runtime_error(message), code_(code), span_(span), advice_(std::move(advice)) {}
    Code code() const { return code_; }
    Span span() const { return span_; }
    const std::string& advice() const { return advice_; }

private:
    Code code_;
    Span span_;
    std::string advice_;
};

// Names the part that was too large.
class GroundingLimit : public GroundingError {
public:
    GroundingLimit(Span span, const std::string& message, std::string advice)
        : GroundingError(codes::memory_limit, span, message, std::move(advice)) {}
};

// Names the binding for which an expression has no value, or one too many.
class EvaluationError : public GroundingError {
public:
    EvaluationError(Span span, const std::string& message, std::string advice)
        : GroundingError(codes::evaluation, span, message, std::move(advice)) {}
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
