// Conversion of object vectors to a scene, and of a scene to the object vectors of a perfect detector.
#pragma once

#include "scene/scene.h"
#include "valuation/object_vectors.h"

namespace neumann {

// The objects with a presence of at least `least_presence`, in the order of their rows, each with its most probable
// words. Flat ones get their extent from the box, solid ones from their size; SceneObject::pixel is then for an image
// of 480×320, the published size, with the depth as the published camera has it.
Scene scene_of(const SeenObjects& seen, double least_presence = 0.5);

// One row for each object, in the order of the scene: certain, x and y where the object's position (for solid ones: its
// middle) is in an image of that size by the scene's own camera, the box around all of it, parts outside too. A scene
// without objects counts as flat. Throws std::invalid_argument for words that the layout does not have.
SeenObjects seen_of(const Scene& scene, unsigned width, unsigned height);

}  // namespace neumann
