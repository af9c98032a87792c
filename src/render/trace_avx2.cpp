#include "base/lane_batch.h"
#include "render/trace_path.h"

namespace neumann::trace {
extern const Kernel avx2;
constinit const Kernel avx2 = make_kernel<xsimd::batch<float, xsimd::fma3<xsimd::avx2>>>("avx2");
}  // namespace neumann::trace
