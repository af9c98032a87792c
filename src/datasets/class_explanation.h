// Ground-truth explanation of a scene's class: the objects and attributes that the rule of the class requires. Known
// for CLEVR-Hans.
#pragma once

#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace neumann {

// For each object of the scene the names of the attributes that the rule is about; none for objects that are nothing to
// it. Throws SceneError for a class that is not known, and for a scene that does not follow the rule.
std::vector<std::vector<std::string_view>> class_explanation(const Scene& scene, unsigned label);

}  // namespace neumann
