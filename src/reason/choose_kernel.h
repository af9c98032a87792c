// Choice of the kernels for this machine's instruction set.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reason/kernels/kernel.h"

namespace neumann {

std::vector<const Kernel*> available_kernels();  // the fastest first
const Kernel& fastest_kernel();
const Kernel* find_kernel(std::string_view name);  // null if there is none of this name, or this machine cannot run it
const Kernel& kernel_called(const std::string& name);  // "": the fastest; throws ReasonError if there is none

}  // namespace neumann
