#include "base/lane_batch.h"
#include "infer/kernel.h"

namespace neumann::infer {
extern const Kernel avx512;
constinit const Kernel avx512 = make_kernel<xsimd::batch<float, xsimd::avx512f>, 12>("avx512");
}  // namespace neumann::infer
