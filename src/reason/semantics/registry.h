// Registry of all semantics, a line for each. A file below defines its semantics, and its number: the next free one.
#pragma once

#include <cstddef>

#include "reason/semantics/alpha_ilp.h"
#include "reason/semantics/clausewise.h"
#include "reason/semantics/godel.h"
#include "reason/semantics/lukasiewicz.h"
#include "reason/semantics/max_product.h"
#include "reason/semantics/noisy_or.h"
#include "reason/semantics/paper.h"
#include "reason/semantics/softor.h"
#include "reason/semantics/sum_product.h"

namespace neumann {

template <std::size_t Number = 0>
consteval std::size_t count_semantics() {
    if constexpr (requires { sizeof(RegisteredSemantics<Number>); }) {
        return count_semantics<Number + 1>();
    } else {
        return Number;
    }
}
inline constexpr std::size_t semantics_count = count_semantics();

}  // namespace neumann
