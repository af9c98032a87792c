// Placement of solid objects: anywhere on the ground by CLEVR's rules, or in a row; and the attributes to choose from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "scene/camera.h"
#include "scene/scene.h"

namespace neumann {

inline constexpr std::array<std::string_view, 3> solid_shapes{"sphere", "cube", "cylinder"};
inline constexpr std::array<std::string_view, 2> solid_sizes{"large", "small"};
inline constexpr std::array<std::string_view, 2> solid_materials{"rubber", "metal"};
inline constexpr std::array<std::string_view, 8> solid_colors{"cyan", "blue",  "yellow", "purple",
                                                              "red",  "green", "gray",   "brown"};

// The four directions on the ground as the camera sees them, as unit vectors; left and behind are the opposites. The
// values are those of a camera without jitter.
struct GroundDirections {
    std::array<double, 2> right{0.6563567519187927, 0.7544506192207336};
    std::array<double, 2> front{0.7544506192207336, -0.6563567519187927};
};

GroundDirections ground_directions(const Camera& camera);

// How far right (front) of the origin a place is.
inline double toward(const std::array<double, 2>& direction, const std::array<double, 3>& place) {
    return direction[0] * place[0] + direction[1] * place[1];
}

// Half-size r, the same for every shape.
double solid_extent(std::string_view size);

SceneObject random_solid(Rng& rng);  // any shape, size, material and colour; nowhere yet

struct PlacementRules {
    double half_side = 3;  // x and y lie in [-half_side, half_side]
    double gap = 0.25;     // at least that much room between two objects
    double margin = 0.4;   // along each direction two objects are at least that far apart: no left or right in doubt
    unsigned tries_per_object = 50;  // then all objects are taken away and placed anew
    unsigned restarts = 100'000;
    GroundDirections directions = {};  // of the camera that will look at the scene
};

// Gives every object a place, a rotation and its extent. Throws std::runtime_error if the objects do not fit.
void place_objects(std::vector<SceneObject>& objects, const PlacementRules& rules, Rng& rng);

// A row from left to right at one depth. The k-th object (from 1) is at y = start + k·stride.
struct RowRules {
    double depth_low = 0;  // x
    double depth_high = 0.8;
    double start_low = -4.5;  // three and more objects
    double start_high = -3.8;
    double short_start_low = -3.5;  // one and two objects
    double short_start_high = -2.8;
    double length_low = 6;  // stride: length / n, for one and two objects length / (n + 1)
    double length_high = 7;
};

// `objects` are given in their order from left to right.
void place_in_row(std::vector<SceneObject>& objects, const RowRules& rules, Rng& rng);

// Large objects of the given colours in a row, of random shape and material. The order of the objects in the scene is
// independent of their order in the row.
Scene make_row(const std::vector<std::string>& colors, std::uint64_t seed, const RowRules& rules = {});

std::vector<std::string> colors_from_left(const Scene& scene, const GroundDirections& directions = {});

}  // namespace neumann
