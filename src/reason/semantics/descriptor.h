// Descriptor of a semantics. Each has a file in this folder, which defines a class with
//     laws                    the properties that other code relies on (reason/semantics.h)
//     Not                     the value of a negated literal: Complement, 1 − x, for most
//     Step<V, Not>            forward and backward: one step for vectors of examples, for kernels (reason/kernels)
//     Formulas                the same for one atom in double precision (reason/formulas.h), written to be compared
//     with
//                             docs/semantics.md
// and gives it a number. Most are an AND and an OR: AndOrStep and AndOrFormulas make a step of them.
#pragma once

#include <cstddef>

#include "reason/formulas.h"
#include "reason/kernels/step.h"
#include "reason/semantics.h"
#include "reason/semantics/complement.h"

namespace neumann {

template <std::size_t Number>
struct RegisteredSemantics;

}  // namespace neumann
