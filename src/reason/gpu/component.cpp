#include "reason/gpu/component.h"

#include <atomic>

#include <fmt/format.h>

#include "base/component_library.h"
#include "reason/gpu/gpu_error.h"
#include "reason/gpu/version.h"

namespace neumann {
namespace {

// Searched once: a component that is missing then stays missing.
struct LoadedGpu {
    GpuDevice* device = nullptr;
    std::string problem;  // why there is none
};

LoadedGpu load_gpu() try {
    const ComponentLibrary library({.file = "libneumann_cuda.so",
                                    .folder = NEUMANN_LIBRARY_FOLDER,
                                    .variable = "NEUMANN_CUDA_LIBRARY",
                                    .what = "reasoning on GPUs",
                                    .lack = "this build does not reason on GPUs: install CUDA (nvcc) and "
                                            "build again, or leave out --device cuda"});
    library.require_version(library.function<GpuVersionFunction>("neumann_gpu_version")(), gpu_version);
    if (GpuDevice* const device = library.function<GpuDeviceFunction>("neumann_gpu_device")(); device != nullptr)
        return {device, {}};
    return {nullptr, fmt::format("there is no GPU to reason on: {}; leave out --device cuda",
                                 library.function<GpuFailureFunction>("neumann_gpu_failure")())};
} catch (const ComponentError& error) {
    return {nullptr, error.what()};
}

std::atomic<bool> looked_for{false};

const LoadedGpu& loaded_gpu() {
    static const LoadedGpu gpu = load_gpu();
    looked_for = true;
    return gpu;
}

GpuDevice* given_device = nullptr;

}  // namespace

GpuDevice* find_gpu_device() { return given_device != nullptr ? given_device : loaded_gpu().device; }

bool gpu_started() { return given_device != nullptr || (looked_for && loaded_gpu().device != nullptr); }

GpuDevice& gpu_device() {
    if (GpuDevice* const device = find_gpu_device(); device != nullptr) return *device;
    throw GpuError(loaded_gpu().problem);
}

void use_gpu_device(GpuDevice* device) { given_device = device; }

}  // namespace neumann
