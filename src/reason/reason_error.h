// Errors in the arguments of reasoners.
#pragma once

#include <stdexcept>

namespace neumann {

// A use that the documentation rules out: unknown atoms, values that are no probabilities, …
class ReasonError : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

constexpr bool is_probability(double value) { return value >= 0 && value <= 1; }  // false for NaN

void require_gamma(double gamma);  // throws ReasonError

}  // namespace neumann
