// Scene files of `neumann scene` and of the page: reading, finding and drawing scenes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scene/scene.h"

namespace neumann {

// All scenes of a file.
struct SceneFile {
    std::vector<Scene> scenes;
    bool flat = false;  // they are flat figures
};

// Scenes of generated data sets, and files of the published form. Throws Error.
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
