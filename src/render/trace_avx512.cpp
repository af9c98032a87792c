#include "base/lane_batch.h"
#include "render/trace_path.h"

namespace neumann::trace {
extern const Kernel avx512;
constinit const Kernel avx512 = make_kernel<xsimd::batch<float, xsimd::avx512f>>("avx512");
}  // namespace neumann::trace
