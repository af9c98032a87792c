#include <neumann/reasoner.h>

#include "reason/choose_kernel.h"

namespace neumann {

std::vector<std::string> known_kernels() {
    std::vector<std::string> names;
    for (const Kernel* one : available_kernels()) names.emplace_back(one->name);
    return names;
}

}  // namespace neumann
