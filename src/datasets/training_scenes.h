// Scenes that follow no rule: training and test data for the perception networks.
#pragma once

#include <cstdint>

#include "base/rng.h"
#include "datasets/split.h"
#include "scene/scene.h"

namespace neumann {

// A flat figure: one to nine objects of any look, from a little smaller than in any published pattern to a little
// larger; half of the figures have objects of one size only. Often some touch, and corners may even hide a little of
// each other: nearer than in any pattern.
Scene training_figure(std::uint64_t seed, Split split, std::uint64_t index);

// Solid objects: three to ten of them anywhere by the published rules. With `rows`, some scenes are rows of one to
// three large objects instead, made like the scenes of list programs and questions: a network trained on them has seen
// the generator of those tasks.
struct SolidSceneOptions {
    unsigned least_objects = 3;
    unsigned most_objects = 10;
    double rows = 0;  // the share of rows
};
Scene training_solids(std::uint64_t seed, Split split, std::uint64_t index, const SolidSceneOptions& options = {});

}  // namespace neumann
