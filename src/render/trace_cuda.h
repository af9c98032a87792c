// Path tracing of many scenes at once on a GPU, from the same source as the processor's kernels. Made for networks that
// train on a hundred thousand images.
#pragma once

#include <span>
#include <vector>

#include "render/trace.h"

namespace neumann {

// Whether this program was built for CUDA (NEUMANN_CUDA) and there is a GPU that runs it.
bool cuda_tracer_available();

// The results of trace_scene for each of the scenes; options.instructions is ignored. Memory on the GPU is bounded, for
// any number of scenes, and allocated anew by every call: this pays off from hundreds of scenes. Throws as trace_scene
// does, and std::runtime_error with CUDA's own message.
std::vector<TracedScene> trace_scenes_cuda(std::span<const Scene> scenes, const TraceOptions& options);

}  // namespace neumann
