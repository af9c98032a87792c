#include "base/lane_batch.h"
#include "reason/kernels/table.h"

namespace neumann::kernels {
extern const Kernel avx2;
constinit const Kernel avx2 = make_kernel<xsimd::batch<float, xsimd::fma3<xsimd::avx2>>>("avx2");
}  // namespace neumann::kernels
