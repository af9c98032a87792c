// The values of expressions without variables, and whether conditions on them hold. For a rule's many instances see
// ground/evaluation.h.
#pragma once

#include "logic/arithmetic.h"
#include "logic/program.h"

namespace neumann {

// Of two numbers whose compare() is `order`; for comparisons of numbers only.
bool holds(Comparison comparison, int order);

// Throws ArithmeticError, also for what is not a number.
Number evaluate(const Signature& signature, const TermTable& terms, TermId expression);

}  // namespace neumann
