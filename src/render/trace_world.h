// Scene data of the path tracer: objects, lamps, ground and camera as published for scenes of solid objects, with the
// jitter that the scene's seed decides.
#pragma once

#include <vector>

#include "render/trace_kernel.h"
#include "scene/camera.h"
#include "scene/scene.h"

namespace neumann::trace {

// The look of images. Published parameters are taken as published; the others (the sun's place, the bevels, the gloss
// of rubber) were fitted to public images: bench/compare_renders.cpp.
struct Look {
    double light_jitter = 1;  // lamps move by up to this much along each axis
    double light_scale = 1;   // of the lamps' published power
    double lamp_tilt = 1;     // 0: lamps face down; 1: they face the origin, which fits the published images
    double sun_irradiance = 0.45;
    Point sun_direction{0.36, -0.18, 0.92};  // towards it
    double sun_spread = 0.05;                // radius of its disc at distance 1
    double ground_color = 0.8;
    double ground_end = 17.1;  // depth at which the ground ends; black behind it
    double cube_bevel = 0.12;  // of the half-size
    double cylinder_bevel = 0.06;
    double rough_share = 0.4;
    double rough = 0.2;       // α of the lobes: the published roughness, squared
    double anisotropy = 0.3;  // the wide lobe is narrower around the axis and wider along it
    double mirror = 0.01;
    double gloss_share = 0.03;
    double gloss = 0.3;
};

// Throws std::invalid_argument for an object that cannot be drawn. `shapes` receives the array behind World::shapes.
World make_world(const Scene& scene, const Camera& camera, const Look& look, std::vector<Shape>& shapes);

}  // namespace neumann::trace
