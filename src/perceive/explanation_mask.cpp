#include "perceive/explanation_mask.h"

#include <algorithm>
#include <optional>

#include "datasets/class_explanation.h"
#include "perceive/scene_of.h"
#include "perceive/score.h"

namespace neumann {

std::vector<float> explanation_mask(const SeenObjects& seen, const Scene& scene, unsigned label) {
    const ObjectLayout& layout = *seen.layout;
    const std::vector<std::vector<std::string_view>> explanation = class_explanation(scene, label);
    const auto partner = matched(seen, seen_of(scene, layout.width, layout.height));
    std::vector<float> mask(seen.rows.size(), 0.0F);
    for (std::size_t k = 0; k < scene.objects.size(); ++k) {
        if (!partner[k]) continue;
        for (const std::string_view name : explanation[k]) {
            const AttributeColumns& attribute = *layout.find(name);
            std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(*partner[k] * layout.columns + attribute.first),
                        attribute.values.size(), 1.0F);
        }
    }
    return mask;
}

}  // namespace neumann
