// Scenes: objects with attributes and places, as data for drawing and for logic.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace neumann {

// Flat figures and scenes of solid objects are both this.
struct SceneObject {
    std::string shape;  // flat: circle, square, triangle; solid: sphere, cube, cylinder
    std::string color;
    std::string size;      // solid: large or small; flat: empty
    std::string material;  // solid: rubber or metal; flat: empty
    // Flat: x and y of the centre in the unit square, y downwards, z unused. Solid: world coordinates, z upwards.
    std::array<double, 3> position{};
    double extent = 0;              // flat: side of the square that is as large; solid: half-size r of the shape
    double rotation = 0;            // solid: degrees about the vertical
    std::array<double, 3> pixel{};  // solid: x, y and depth in the image; known once there is a camera
};

struct Scene {
    std::vector<SceneObject> objects;
    std::uint64_t seed = 0;  // random seed of its image: camera, lights, noise
    std::string image;       // file name of its image; may be empty
};

}  // namespace neumann
