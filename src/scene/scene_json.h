// Scenes of solid objects as files: CLEVR's own JSON, and JSON Lines for many of them.
//
// CLEVR's form is {"info": {"split": …}, "scenes": [SCENE, …]}, or one SCENE alone, with the published field names:
//   image_filename, image_index, split, directions, relationships
//   objects: 3d_coords, pixel_coords, rotation, shape, size, material, color
// The compact form has one scene on each line:
//   {"image": "a.png", "index": 0, "split": "train", "seed": 7,
//    "objects": [["sphere", "large", "rubber", "red", x, y, z, rotation], …], "pixels": [[x, y, depth], …],
//    "directions": {…}}
// "pixels" and "directions" are left out if there was no camera; relationships follow from the rest. Our own key "seed"
// is written to both. Reading needs the objects with their four words and their coordinates; all other keys may be
// missing, and unknown keys are ignored.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/json_fields.h"
#include "scene/scene.h"

namespace neumann {

// Fields that depend on the camera. Empty: there was none.
struct CameraFields {
    std::map<std::string, std::array<double, 3>> directions;  // left, right, front, behind, above, below
    // relationships["left"][i]: the numbers of the objects left of object i
    std::map<std::string, std::vector<std::vector<std::uint32_t>>> relationships;
};

struct SceneRecord {
    Scene scene;  // .objects[i].pixel is written where it is not zero
    std::string split;
    std::uint64_t index = 0;
    CameraFields camera;
};

// Relationships along all directions but above and below, as CLEVR has them: j is left of i if it is more than
// `tolerance` further along.
CameraFields camera_fields(const Scene& scene, std::map<std::string, std::array<double, 3>> directions,
                           double tolerance = 0.2);

// Both forms, detected by the content. Throws FileError or SceneError.
std::vector<SceneRecord> read_scenes(const std::filesystem::path& path);

// CLEVR's form. `info_split` is the split named in info.
std::string scenes_json(const std::vector<SceneRecord>& scenes, const std::string& info_split);
std::string scenes_json_lines(const std::vector<SceneRecord>& scenes);

}  // namespace neumann
