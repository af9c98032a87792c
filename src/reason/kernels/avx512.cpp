#include "base/lane_batch.h"
#include "reason/kernels/table.h"

namespace neumann::kernels {
extern const Kernel avx512;
constinit const Kernel avx512 = make_kernel<xsimd::batch<float, xsimd::avx512f>>("avx512");
}  // namespace neumann::kernels
