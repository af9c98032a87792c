// Visibility test: whether every object shows enough pixels.
#pragma once

#include <cstddef>

#include "scene/camera.h"
#include "scene/scene.h"

namespace neumann {

// As published for scenes of solid objects: the minimum of pixels of each object in an image of 320×240.
inline constexpr std::size_t least_visible_pixels = 200;

bool all_visible(const Scene& scene, const CameraOptions& camera = {}, std::size_t pixels = least_visible_pixels);

}  // namespace neumann
