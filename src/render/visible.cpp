#include "render/visible.h"

#include <algorithm>

#include "render/trace.h"

namespace neumann {

bool all_visible(const Scene& scene, const CameraOptions& camera, std::size_t pixels) {
    if (pixels == 0) return true;
    TraceOptions look;
    look.width = 320;
    look.height = 240;
    look.threads = 1;
    look.camera = camera;
    return std::ranges::all_of(trace_masks(scene, look).boxes, [&](const Box& box) { return box.pixels >= pixels; });
}

}  // namespace neumann
