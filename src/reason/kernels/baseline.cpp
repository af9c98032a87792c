// Kernels for the instructions that every processor of the platform has: SSE2 on x86-64.
#include "base/lane_batch.h"
#include "reason/kernels/table.h"

namespace neumann::kernels {
extern const Kernel baseline;
constinit const Kernel baseline = make_kernel<xsimd::batch<float>>("baseline");
}  // namespace neumann::kernels
