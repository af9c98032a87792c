// The component that runs works on a GPU: a shared library that needs CUDA, found beside the command and
// loaded when it is first asked for. The rest needs no CUDA.
#pragma once

#include <string>

#include "reason/gpu/gpu_device.h"

namespace neumann {

// What the shared library defines, with C linkage.
using GpuVersionFunction = const char*();  // neumann_gpu_version
using GpuDeviceFunction = GpuDevice*();    // neumann_gpu_device: null where there is no GPU
using GpuFailureFunction = const char*();  // neumann_gpu_failure: why

// Looked for in $NEUMANN_CUDA_LIBRARY (a file), beside the command, and where it is installed, in lib/neumann. Loads
// it. Throws GpuError, saying what is missing and what to do, where it is not there or finds no GPU.
GpuDevice& gpu_device();
// The same for those who can do without; null where there is none.
GpuDevice* find_gpu_device();
// Whether it has been found before: starting a GPU takes longer than most reasoning.
bool gpu_started();

// For tests: what gpu_device() gives from now on; null: what was loaded.
void use_gpu_device(GpuDevice* device);

}  // namespace neumann
