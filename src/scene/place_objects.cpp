#include "scene/place_objects.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "base/random_draws.h"

namespace neumann {
namespace {

// The radius of the circle on the ground that the object cannot leave however it is turned.
double footprint(const SceneObject& object) { return object.size == "large" ? 0.7 : 0.35; }

bool fits(const SceneObject& one, const SceneObject& other, const PlacementRules& rules) {
    const std::array<double, 3> apart{one.position[0] - other.position[0], one.position[1] - other.position[1], 0};
    return std::hypot(apart[0], apart[1]) - footprint(one) - footprint(other) >= rules.gap &&
           std::abs(toward(rules.directions.right, apart)) >= rules.margin &&
           std::abs(toward(rules.directions.front, apart)) >= rules.margin;
}

bool place_all(std::vector<SceneObject>& objects, const PlacementRules& rules, Rng& rng) {
    for (std::size_t i = 0; i < objects.size(); ++i) {
        bool placed = false;
        for (unsigned attempt = 0; attempt < rules.tries_per_object && !placed; ++attempt) {
            objects[i].position[0] = between(-rules.half_side, rules.half_side, rng);
            objects[i].position[1] = between(-rules.half_side, rules.half_side, rng);
            placed = std::all_of(objects.begin(), objects.begin() + static_cast<std::ptrdiff_t>(i),
                                 [&](const SceneObject& before) { return fits(objects[i], before, rules); });
        }
        if (!placed) return false;
    }
    return true;
}

void stand_on_ground(SceneObject& object, Rng& rng) {
    object.extent = solid_extent(object.size);
    object.position[2] = object.extent;
    object.rotation = 360 * rng.uniform();
}

}  // namespace

GroundDirections ground_directions(const Camera& camera) {
    const Directions all = camera.directions();
    return {{all.right[0], all.right[1]}, {all.front[0], all.front[1]}};
}

double solid_extent(std::string_view size) { return size == "large" ? 0.7 : 0.35; }

SceneObject random_solid(Rng& rng) {
    SceneObject object;
    object.shape = solid_shapes[rng.below(solid_shapes.size())];
    object.color = solid_colors[rng.below(solid_colors.size())];
    object.size = solid_sizes[rng.below(solid_sizes.size())];
    object.material = solid_materials[rng.below(solid_materials.size())];
    return object;
}

void place_objects(std::vector<SceneObject>& objects, const PlacementRules& rules, Rng& rng) {
    for (unsigned restart = 0; !place_all(objects, rules, rng); ++restart) {
        if (restart == rules.restarts) {
            throw std::runtime_error(fmt::format("{} objects found no place in {} attempts", objects.size(), restart));
        }
    }
    for (SceneObject& object : objects) stand_on_ground(object, rng);
}

void place_in_row(std::vector<SceneObject>& objects, const RowRules& rules, Rng& rng) {
    const bool is_short = objects.size() <= 2;
    const double depth = between(rules.depth_low, rules.depth_high, rng);
    const double start = is_short ? between(rules.short_start_low, rules.short_start_high, rng)
                                  : between(rules.start_low, rules.start_high, rng);
    const double stride = between(rules.length_low, rules.length_high, rng) /
                          static_cast<double>(is_short ? objects.size() + 1 : objects.size());
    for (std::size_t k = 0; k < objects.size(); ++k) {
        objects[k].position = {depth, start + static_cast<double>(k + 1) * stride, 0};
        stand_on_ground(objects[k], rng);
    }
}

Scene make_row(const std::vector<std::string>& colors, std::uint64_t seed, const RowRules& rules) {
    Rng rng(seed);
    Scene scene;
    for (const std::string& color : colors) {
        scene.objects.push_back(random_solid(rng));
        scene.objects.back().color = color;
        scene.objects.back().size = "large";
    }
    place_in_row(scene.objects, rules, rng);
    shuffle_in_place(scene.objects, rng);
    scene.seed = rng.next();
    return scene;
}

std::vector<std::string> colors_from_left(const Scene& scene, const GroundDirections& directions) {
    std::vector<std::size_t> order(scene.objects.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto place = [&](std::size_t i) { return toward(directions.right, scene.objects[i].position); };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
    std::vector<std::string> colors;
    colors.reserve(order.size());
    for (const std::size_t i : order) colors.push_back(scene.objects[i].color);
    return colors;
}

}  // namespace neumann
