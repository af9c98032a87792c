// The kernels with one sample at a time, without vectors: the arithmetic of the GPU, on the processor.
#include "render/trace_path.h"

namespace neumann::trace {
extern const Kernel scalar;
constinit const Kernel scalar = make_kernel<Lane>("scalar");
}  // namespace neumann::trace
