// The instruction set that every processor of the platform has: SSE2 on x86-64.
#include "base/lane_batch.h"
#include "render/trace_path.h"

namespace neumann::trace {
extern const Kernel baseline;
constinit const Kernel baseline = make_kernel<xsimd::batch<float>>("baseline");
}  // namespace neumann::trace
