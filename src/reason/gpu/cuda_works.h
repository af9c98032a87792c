// CUDA kernels of a semantics. Each semantics is compiled on its own (cuda_works.cu).
#pragma once

#include <array>
#include <cstddef>

#include "reason/gpu/gpu_device.h"

namespace neumann {

struct CudaLaunch {
    void (*kernel)(GpuStep) = nullptr;
    unsigned threads = 0;  // of a block
    bool trees = false;    // a block for each item and tile
};

struct CudaWorks {
    std::array<CudaLaunch, static_cast<std::size_t>(GpuWork::Count)> launch;
    GpuSemanticsFacts facts;
};

template <std::size_t semantics>
const CudaWorks& cuda_works(bool with_not);

}  // namespace neumann
