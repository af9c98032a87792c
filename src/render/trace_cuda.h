// Pictures of many scenes at once, drawn by a GPU from the source of the processor's kernels. Made for
// networks that train on a hundred thousand of them.
#pragma once

#include <span>
#include <vector>

#include "render/trace.h"

namespace neumann {

// Whether this program was built for CUDA (NEUMANN_CUDA) and there is a GPU that runs it.
bool cuda_tracer_available();

// What trace_scene makes of each of the scenes; options.instructions counts for nothing. Memory on the GPU is bounded,
// whatever the number of scenes, and allocated anew by every call: hundreds of scenes and more make that worth while.
// Throws as trace_scene does, and std::runtime_error with CUDA's own message.
std::vector<TracedScene> trace_scenes_cuda(std::span<const Scene> scenes, const TraceOptions& options);

}  // namespace neumann
