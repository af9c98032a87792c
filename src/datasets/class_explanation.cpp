#include "datasets/class_explanation.h"

#include <fmt/format.h>

#include "base/json_fields.h"
#include "datasets/clevr_hans.h"

namespace neumann {

std::vector<std::vector<std::string_view>> class_explanation(const Scene& scene, unsigned label) {
    if (label >= hans_classes || !follows_hans_rule(scene, label))
        throw SceneError(fmt::format("{}: not a scene of class {} of CLEVR-Hans, whose classes can be explained "
                                     "(neumann generate clevr-hans --images)",
                                     scene.image, label));
    std::vector<std::vector<std::string_view>> result;
    for (const SceneObject& object : scene.objects) result.push_back(hans_rule_attributes(object, label));
    return result;
}

}  // namespace neumann
