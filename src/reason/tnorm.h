// Triangular norms on two numbers: equal to the AND of a semantics, or an upper bound of it. They commute and
// associate, 1 changes nothing, and the result is never larger than either operand. Best derivations depend on that
// last law.
#pragma once

#include <algorithm>

namespace neumann {

using TNorm = double (*)(double, double);

namespace tnorm {

inline double product(double a, double b) { return a * b; }
inline double minimum(double a, double b) { return std::min(a, b); }
// The minimum enforces a law that rounding could break: the result is at most a and at most b.
inline double bounded(double a, double b) { return std::max(0.0, std::min({a, b, a - (1 - b)})); }

}  // namespace tnorm
}  // namespace neumann
