// Path tracer for scenes of solid objects: soft shadows, indirect light, metal with reflections. The same scene and
// options give the same bytes, for any number of threads and any processor. Samples are stratified (scrambled Sobol
// points), every lamp is sampled at every visible point, and indirect light, the source of most of the noise, is
// averaged within surfaces (trace_filter.h); this does not change shadows, edges and reflections.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "image/image.h"
#include "render/trace_world.h"
#include "scene/camera.h"
#include "scene/scene.h"

namespace neumann {

struct TraceOptions {
    unsigned width = 480;
    unsigned height = 320;
    unsigned samples = 256;         // per pixel; rounded up to a multiple of 16. Powers of two spread best
    unsigned bounces = 4;           // surfaces after the first that a path may meet
    unsigned smoothing = 3;         // radius in pixels of the averaging of indirect light; 0: none
    double filter_radius = 0.8;     // in pixels: half the width of the area that one pixel covers
    double brightest = 2;           // limit of one indirect sample: no bright specks
    unsigned threads = 0;           // 0: as many as the machine has
    std::string_view instructions;  // one of trace_instructions(); empty: the best that the processor has
    CameraOptions camera;
    trace::Look look;

    // 128×128, stretched, without visible noise at that size: training images of the networks.
    static TraceOptions training();
    // 480×320: for people.
    static TraceOptions display() { return {}; }
};

struct TracedScene {
    Image picture;  // three channels
    Image mask;     // one channel: number of the object + 1, 0 for the ground, as seen through the pixel's middle
    std::vector<Box> boxes;  // per object
};

// Throws std::invalid_argument for objects that cannot be drawn (names as in Scene's fields, at most 255 of them) and
// for invalid options.
TracedScene trace_scene(const Scene& scene, const TraceOptions& options);

// Mask and boxes alone: a hundred times faster.
TracedScene trace_masks(const Scene& scene, const TraceOptions& options);

// Names for TraceOptions::instructions that this processor can run, the fastest first.
std::vector<std::string_view> trace_instructions();

}  // namespace neumann
