// Conversion of a scene to the kernels' job, and of their output to boxes: shared by processors and GPUs.
#pragma once

#include <cstddef>
#include <vector>

#include "render/trace.h"
#include "render/trace_kernel.h"

namespace neumann::trace {

// The parts of a job point to each other, so it stays where it is. Throws as trace_scene does.
struct PreparedScene {
    PreparedScene(const Scene& scene, const TraceOptions& options);
    PreparedScene(const PreparedScene&) = delete;
    PreparedScene& operator=(const PreparedScene&) = delete;

    std::vector<Shape> shapes;
    World world;
    Job job;  // without points yet
};

// Where each of so many objects is in a mask.
std::vector<Box> boxes_in(const Image& mask, std::size_t objects);

}  // namespace neumann::trace
