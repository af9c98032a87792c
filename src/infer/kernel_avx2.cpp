#include "base/lane_batch.h"
#include "infer/kernel.h"

namespace neumann::infer {
extern const Kernel avx2;
constinit const Kernel avx2 = make_kernel<xsimd::batch<float, xsimd::fma3<xsimd::avx2>>, 6>("avx2");
}  // namespace neumann::infer
