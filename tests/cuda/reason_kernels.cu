// Every kernel of reasoning as a GPU's: it is enough that nvcc compiles it.
#include <cstddef>
#include <utility>

#include "reason/semantics/registry.h"

namespace neumann::kernels {

template <std::size_t number>
__global__ void run_forward(const ForwardStep* steps) {
    using Semantics = RegisteredSemantics<number>;
    Semantics::template Step<Lane, Positive>::forward(steps[blockIdx.x]);
    Semantics::template Step<Lane, typename Semantics::Not>::forward(steps[blockIdx.x]);
}

template <std::size_t number>
__global__ void run_backward(const BackwardStep* steps) {
    using Semantics = RegisteredSemantics<number>;
    Semantics::template Step<Lane, Positive>::backward(steps[blockIdx.x]);
    Semantics::template Step<Lane, typename Semantics::Not>::backward(steps[blockIdx.x]);
}

template <std::size_t... number>
void run_all(const ForwardStep* forward, const BackwardStep* backward, std::index_sequence<number...>) {
    (run_forward<number><<<1, 1>>>(forward), ...);
    (run_backward<number><<<1, 1>>>(backward), ...);
}

void run_all(const ForwardStep* forward, const BackwardStep* backward) {
    run_all(forward, backward, std::make_index_sequence<semantics_count>());
}

}  // namespace neumann::kernels
