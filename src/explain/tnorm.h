// The AND of each semantics on two numbers. All three are triangular norms: they commute and associate, 1 changes
// nothing, and the result is never larger than either operand. That last law is what best derivations rest on.
#pragma once

#include <algorithm>
#include <cstdint>

#include "reason/semantics.h"

namespace neumann {

enum class TNorm : std::uint8_t { Product, Minimum, Bounded };

inline TNorm tnorm_of(Semantics semantics) {
    switch (semantics) {
    case Semantics::Godel:
        return TNorm::Minimum;
    case Semantics::Lukasiewicz:
        return TNorm::Bounded;
    default:
        return TNorm::Product;
    }
}

inline double both(TNorm norm, double a, double b) {
    switch (norm) {
    case TNorm::Minimum:
        return std::min(a, b);
    // The minimum holds what rounding could break: the result is at most a and at most b.
    case TNorm::Bounded:
        return std::max(0.0, std::min({a, b, a - (1 - b)}));
    default:
        return a * b;
    }
}

}  // namespace neumann
