// CLEVR-Hans3 generator: scenes of three classes with a confounder. In training and validation scenes the large cube
// that class 0 requires is gray, and the small sphere that class 1 requires is metal; in test scenes both are random.
// Class 2 has no confounder. As in the published generator, further objects of a scene are not confounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "datasets/split.h"
#include "render/visible.h"
#include "scene/camera.h"
#include "scene/place_objects.h"
#include "scene/scene.h"

namespace neumann {

inline constexpr unsigned hans_classes = 3;

// The rule of a class, without its confounder:
//   0  a large cube and a large cylinder
//   1  a small metal cube and a small sphere
//   2  a large blue sphere and a small yellow sphere
bool follows_hans_rule(const Scene& scene, unsigned label);

// The attributes that the rule of the class requires of this object; empty for an object that the rule does not use.
// These attributes are the ground-truth explanation of the class.
std::vector<std::string_view> hans_rule_attributes(const SceneObject& object, unsigned label);

struct HansScene {
    Scene scene;
    unsigned label = 0;  // the only class whose rule the scene follows
};

struct HansOptions {
    std::uint64_t seed = 1;
    Split split = Split::Train;
    std::size_t per_class = 3000;  // as published: hans_size(split)
    unsigned least_objects = 3;
    unsigned most_objects = 10;
    PlacementRules placement = {};  // its directions are those of each scene's own camera
    CameraOptions camera = {};
    // In an image of 320×240 each object must show at least so many pixels, else all are placed anew; 0: no check.
    std::size_t visible_pixels = least_visible_pixels;
    unsigned threads = 1;
};

constexpr std::size_t hans_size(Split split) { return split == Split::Train ? 3000 : 750; }

// Class 0 first, then 1, then 2. The number of objects of a scene is random.
std::vector<HansScene> make_hans_scenes(const HansOptions& options);

}  // namespace neumann
