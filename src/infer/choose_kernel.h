// Choice of the convolution kernel for this machine's instruction set.
#pragma once

#include <vector>

#include "infer/kernel.h"

namespace neumann::infer {

std::vector<const Kernel*> available_kernels();  // the fastest first
const Kernel& fastest_kernel();

}  // namespace neumann::infer
