// Evaluation of expressions without variables and of conditions on them. For a rule's many instances see
// ground/evaluation.h.
#pragma once

#include "logic/arithmetic.h"
#include "logic/program.h"

namespace neumann {

// Of two numbers whose compare() is `order`; for comparisons of numbers only.
bool holds(Comparison comparison, int order);

// Throws ArithmeticError, also for terms that are not numbers.
Number evaluate(const Signature& signature, const TermTable& terms, TermId expression);

}  // namespace neumann
