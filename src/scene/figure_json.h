// Flat figures as JSON Lines:
//   {"image": "a.png", "seed": 7, "label": 1, "objects": [["circle", "red", x, y, side], …]}
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace neumann {

std::string figure_json_line(const Scene& figure, std::optional<unsigned> label);  // with its newline

// Throws FileError or SceneError.
std::vector<Scene> read_figures(const std::filesystem::path& path);

}  // namespace neumann
