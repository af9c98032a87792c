// Every kernel of reasoning as a graphics card's: it is enough that nvcc compiles it.
#include "reason/kernels/table.h"

namespace neumann::kernels {

template <void (*step)(const ForwardStep&)>
__global__ void run_forward(const ForwardStep* steps) {
    step(steps[blockIdx.x]);
}

template <void (*step)(const BackwardStep&)>
__global__ void run_backward(const BackwardStep* steps) {
    step(steps[blockIdx.x]);
}

template __global__ void run_forward<forward_step<Lane, ProductAnd, SoftOr>>(const ForwardStep*);
template __global__ void run_forward<forward_step<Lane, ProductAnd, MaximumOr>>(const ForwardStep*);
template __global__ void run_forward<paper_forward<Lane>>(const ForwardStep*);
template __global__ void run_forward<clausewise_forward<Lane>>(const ForwardStep*);
template __global__ void run_backward<backward_step<Lane, ProductAnd, SoftOr>>(const BackwardStep*);
template __global__ void run_backward<backward_step<Lane, MinimumAnd, MaximumOr>>(const BackwardStep*);
template __global__ void run_backward<backward_step<Lane, BoundedAnd, BoundedOr>>(const BackwardStep*);
template __global__ void run_backward<paper_backward<Lane>>(const BackwardStep*);
template __global__ void run_backward<clausewise_backward<Lane>>(const BackwardStep*);

}  // namespace neumann::kernels
