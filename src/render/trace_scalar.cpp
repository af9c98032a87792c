// One sample at a time, without vectors: what GPUs compute, on the processor.
#include "render/trace_path.h"

namespace neumann::trace {
extern const Kernel scalar;
constinit const Kernel scalar = make_kernel<Lane>("scalar");
}  // namespace neumann::trace
