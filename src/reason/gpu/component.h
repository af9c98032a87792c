// GPU component: a shared library that needs CUDA, found beside the command and
// loaded at its first use. The rest of the project needs no CUDA.
#pragma once

#include <string>

#include "reason/gpu/gpu_device.h"

namespace neumann {

// The functions of the shared library, with C linkage.
using GpuVersionFunction = const char*();  // neumann_gpu_version
using GpuDeviceFunction = GpuDevice*();    // neumann_gpu_device: null where there is no GPU
using GpuFailureFunction = const char*();  // neumann_gpu_failure: why

// Searched in $NEUMANN_CUDA_LIBRARY (a file), beside the command, and in the installed lib/neumann. Loads it. Throws
// GpuError, with the reason and advice, if it is missing or finds no GPU.
GpuDevice& gpu_device();
// The same for those who can do without; null where there is none.
GpuDevice* find_gpu_device();
// Whether it has been found before: starting a GPU takes longer than most reasoning.
bool gpu_started();

// For tests: replaces the result of gpu_device(); null: the loaded component again.
void use_gpu_device(GpuDevice* device);

}  // namespace neumann
