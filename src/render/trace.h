// Pictures of scenes of solid objects, by path tracing: soft shadows, light from surface to surface, metal that
// mirrors. The same scene and options give the same bytes, whatever the number of threads or the kind of processor.
// Samples are evenly spread (scrambled Sobol points), every lamp is asked at every visible point, and indirect light,
// where the rest of the noise is, is averaged within surfaces (trace_filter.h); shadows, edges and mirrors are not
// touched by that.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <neumann/scenes.h>

#include "image/image.h"
#include "render/trace_world.h"
#include "scene/camera.h"

namespace neumann {

struct TraceOptions {
    unsigned width = 480;
    unsigned height = 320;
    unsigned samples = 256;         // per pixel; rounded up to a multiple of 16. Powers of two spread best
    unsigned bounces = 4;           // surfaces after the first that a path may meet
    unsigned smoothing = 3;         // radius in pixels of the averaging of indirect light; 0: none
    double filter_radius = 0.8;     // in pixels: half the width of what one pixel sees
    double brightest = 2;           // limit of one indirect sample: no bright specks
    unsigned threads = 0;           // 0: as many as the machine has
    std::string_view instructions;  // one of trace_instructions(); empty: the best that the processor has
    CameraOptions camera;
    trace::Look look;

    // 128×128, squashed, without visible noise at that size: what networks train on.
    static TraceOptions training();
    // 480×320: what people look at.
    static TraceOptions display() { return {}; }
};

struct TracedScene {
    Image picture;  // three channels
    Image mask;     // one channel: number of the object + 1, 0 for the ground, as seen through the pixel's middle
    std::vector<Box> boxes;  // per object
};

// Throws std::invalid_argument for objects that cannot be drawn (names as in Scene's fields, at most 255 of them) and
// for options that make no picture.
TracedScene trace_scene(const Scene& scene, const TraceOptions& options);

// Mask and boxes alone: a hundred times faster.
TracedScene trace_masks(const Scene& scene, const TraceOptions& options);

// Names for TraceOptions::instructions that this processor can run, the fastest first.
std::vector<std::string_view> trace_instructions();

}  // namespace neumann
