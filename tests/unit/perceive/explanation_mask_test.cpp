#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "base/json_fields.h"
#include "datasets/clevr_hans.h"
#include "perceive/explanation_mask.h"
#include "perceive/scene_of.h"

namespace neumann {
namespace {

HansScene first_of(unsigned label) {
    HansOptions options;
    options.per_class = 1;
    return make_hans_scenes(options)[label];
}

bool masked(const std::vector<float>& mask, const SeenObjects& seen, std::size_t row, const char* attribute) {
    const AttributeColumns& columns = *seen.layout->find(attribute);
    const auto first = mask.begin() + static_cast<std::ptrdiff_t>(row * seen.layout->columns + columns.first);
    const auto last = first + static_cast<std::ptrdiff_t>(columns.values.size());
    EXPECT_TRUE(std::all_of(first, last, [&](float one) { return one == *first; }));
    return *first == 1;
}

TEST(ExplanationMask, MarksWhatTheRuleAsksFor) {
    for (unsigned label = 0; label < hans_classes; ++label) {
        const Scene scene = first_of(label).scene;
        const SeenObjects seen = seen_of(scene, solid_layout().width, solid_layout().height);
        const std::vector<float> mask = explanation_mask(seen, scene, label);
        std::size_t marked = 0;
        for (std::size_t k = 0; k < scene.objects.size(); ++k) {
            const std::vector<std::string_view> about = hans_rule_attributes(scene.objects[k], label);
            for (const char* attribute : {"shape", "size", "material", "color"})
                EXPECT_EQ(masked(mask, seen, k, attribute), std::ranges::find(about, attribute) != about.end())
                    << "class " << label << ", object " << k << ", " << attribute;
            EXPECT_EQ(mask[k * seen.layout->columns + column::x], 0);
            marked += about.empty() ? 0 : 1;
        }
        EXPECT_GE(marked, 2U);
    }
}

TEST(ExplanationMask, FollowsTheObjectsWhereverTheirRowsAre) {
    const Scene scene = first_of(2).scene;
    const SeenObjects seen = seen_of(scene, solid_layout().width, solid_layout().height);
    const std::vector<float> mask = explanation_mask(seen, scene, 2);
    const std::size_t columns = seen.layout->columns;
    SeenObjects turned{seen.layout, {}, {}};
    std::vector<float> expected;
    for (std::size_t k = seen.count(); k-- > 0;) {
        turned.rows.insert(turned.rows.end(), seen.row(k).begin(), seen.row(k).end());
        const auto row = mask.begin() + static_cast<std::ptrdiff_t>(k * columns);
        expected.insert(expected.end(), row, row + static_cast<std::ptrdiff_t>(columns));
    }
    EXPECT_EQ(explanation_mask(turned, scene, 2), expected);
    for (std::size_t k = 0; k < turned.count(); ++k) turned.rows[k * columns + column::presence] = 0.1F;
    const std::vector<float> none = explanation_mask(turned, scene, 2);
    EXPECT_EQ(std::accumulate(none.begin(), none.end(), 0.0F), 0) << "nothing was seen";
}

TEST(ExplanationMask, RefusesScenesOfOtherClasses) {
    const Scene scene = first_of(0).scene;
    const SeenObjects seen = seen_of(scene, solid_layout().width, solid_layout().height);
    EXPECT_THROW(explanation_mask(seen, scene, 1), SceneError);
    EXPECT_THROW(explanation_mask(seen, scene, 9), SceneError);
}

}  // namespace
}  // namespace neumann
