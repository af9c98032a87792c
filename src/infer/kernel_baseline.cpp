#include "base/lane_batch.h"
#include "infer/kernel.h"

namespace neumann::infer {
extern const Kernel baseline;
constinit const Kernel baseline = make_kernel<xsimd::batch<float>, 2>("baseline");
}  // namespace neumann::infer
