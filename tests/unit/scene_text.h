// Text of scenes for comparisons in tests, and names for tests of patterns.
#pragma once

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scene/scene.h"

namespace neumann {

inline std::string text_of(const Scene& scene) {
    std::string text;
    for (const SceneObject& o : scene.objects) {
        text += fmt::format("{} {} {} {} {} {} {} {};", o.shape, o.size, o.material, o.color, o.position[0],
                            o.position[1], o.position[2], o.rotation);
    }
    return text;
}

inline std::string pattern_test_name(const testing::TestParamInfo<const char*>& tested) {
    std::string name = tested.param;
    std::erase(name, '-');
    return name;
}

}  // namespace neumann
