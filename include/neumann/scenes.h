// Scenes: objects with attributes and places, as data for drawing and for logic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
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

// All scenes of a file.
struct SceneFile {
    std::vector<Scene> scenes;
    bool flat = false;  // they are flat figures
};

// Scenes of generated data sets, and CLEVR's own files. Throws Error.
SceneFile read_scene_file(const std::filesystem::path& path);

// The number of the scene with this image name. Throws Error.
std::optional<std::size_t> find_scene(const std::filesystem::path& path, const std::string& image);

// Draws a scene as PNG. A side of 0 follows from the other one; both: as published. Throws Error; std::invalid_argument
// for objects that cannot be drawn.
void draw_scene(const Scene& scene, bool flat, const std::filesystem::path& output, unsigned width = 0,
                unsigned height = 0);

// An example of a generated data set, with the truth about its images.
struct PicturedExample {
    std::string id;
    std::vector<std::pair<std::string, double>> atoms;  // by name
    std::vector<std::string> images;                    // their names
};

// The example of this number, from 0; nothing if there is none, or the file holds no examples. Throws Error.
std::optional<PicturedExample> read_pictured_example(const std::filesystem::path& path, std::size_t number);

}  // namespace neumann
