#include "scene/trace_batch.h"
#include "scene/trace_path.h"

namespace neumann::trace {
extern const Kernel avx2;
constinit const Kernel avx2 = make_kernel<xsimd::batch<float, xsimd::fma3<xsimd::avx2>>>("avx2");
}  // namespace neumann::trace
