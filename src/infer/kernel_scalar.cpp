#include "infer/kernel.h"

namespace neumann::infer {
extern const Kernel scalar;
constinit const Kernel scalar = make_kernel<Lane, 1>("scalar");
}  // namespace neumann::infer
