// In place of trace_cuda.cu where there is no CUDA.
#include <stdexcept>

#include "render/trace_cuda.h"

namespace neumann {

bool cuda_tracer_available() { return false; }

std::vector<TracedScene> trace_scenes_cuda(std::span<const Scene>, const TraceOptions&) {
    throw std::runtime_error("no pictures by CUDA: built without NEUMANN_CUDA");
}

}  // namespace neumann
