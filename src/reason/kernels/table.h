// The table of kernels for one instruction set, in the order of enum Semantics.
#pragma once

#include "reason/kernels/clausewise.h"
#include "reason/kernels/paper.h"

namespace neumann::kernels {

template <class V>
constexpr Kernel make_kernel(const char* name) {
    return {name,
            {forward_step<V, ProductAnd, SoftOr>, paper_forward<V>, forward_step<V, ProductAnd, MaximumOr>,
             forward_step<V, ProductAnd, NoisyOr>, forward_step<V, MinimumAnd, MaximumOr>,
             forward_step<V, BoundedAnd, BoundedOr>, clausewise_forward<V>},
            {backward_step<V, ProductAnd, SoftOr>, paper_backward<V>, backward_step<V, ProductAnd, MaximumOr>,
             backward_step<V, ProductAnd, NoisyOr>, backward_step<V, MinimumAnd, MaximumOr>,
             backward_step<V, BoundedAnd, BoundedOr>, clausewise_backward<V>}};
}

}  // namespace neumann::kernels
