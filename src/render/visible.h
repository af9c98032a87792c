// Whether there is enough of every object to be seen.
#pragma once

#include <cstddef>

#include <neumann/scenes.h>

#include "scene/camera.h"

namespace neumann {

// As published for scenes of solid objects: so many pixels of each object in a picture of 320×240.
inline constexpr std::size_t least_visible_pixels = 200;

bool all_visible(const Scene& scene, const CameraOptions& camera = {}, std::size_t pixels = least_visible_pixels);

}  // namespace neumann
