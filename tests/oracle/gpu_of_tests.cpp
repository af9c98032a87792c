#include "oracle/gpu_of_tests.h"

#include <cstdlib>

#include "reason/gpu/component.h"
#include "unit/emulated_gpu.h"

namespace neumann::oracle {

void use_gpu_of_tests() {
    if (std::getenv("NEUMANN_TEST_GPU") != nullptr) return;
    static EmulatedGpu gpu;
    use_gpu_device(&gpu);
}

}  // namespace neumann::oracle
