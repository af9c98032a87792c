// One example at a time, without vectors: what a thread of a GPU computes, on the processor.
#include "reason/kernels/table.h"

namespace neumann::kernels {
extern const Kernel scalar;
constinit const Kernel scalar = make_kernel<Lane>("scalar");
}  // namespace neumann::kernels
