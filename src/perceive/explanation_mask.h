// Ground-truth explanation as a mask: the entries of the object vectors that the rule of the image's class uses.
#pragma once

#include <vector>

#include "scene/scene.h"
#include "valuation/object_vectors.h"

namespace neumann {

// As many entries as the rows that were seen: 1 in the columns of the attributes that the rule of this class asks for,
// in the rows of the objects that it is about; else 0. An object that was not seen where it is has no row. Throws
// SceneError where the rule is not known or not followed.
std::vector<float> explanation_mask(const SeenObjects& seen, const Scene& scene, unsigned label);

}  // namespace neumann
