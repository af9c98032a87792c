// Version of the GPU component, which must match: the project's version and the number of the interface, which
// grows whenever GpuDevice or its arguments change.
#pragma once

namespace neumann {

inline constexpr const char* gpu_version = NEUMANN_VERSION " cuda interface 2";

}  // namespace neumann
