// Scalar kernels: one example at a time, the computation of a GPU's thread on the processor.
#include "reason/kernels/table.h"

namespace neumann::kernels {
extern const Kernel scalar;
constinit const Kernel scalar = make_kernel<Lane>("scalar");
}  // namespace neumann::kernels
