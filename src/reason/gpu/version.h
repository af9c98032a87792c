// A component is used only where it was built for this: the project's version and the number of the interface, which
// grows whenever GpuDevice or what it is given changes.
#pragma once

namespace neumann {

inline constexpr const char* gpu_version = NEUMANN_VERSION " cuda interface 2";

}  // namespace neumann
