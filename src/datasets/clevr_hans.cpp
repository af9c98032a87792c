#include "datasets/clevr_hans.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/random_draws.h"
#include "render/visible.h"

namespace neumann {
namespace {

constexpr std::size_t scenes_per_chunk = 64;

bool is(const SceneObject& object, std::string_view size, std::string_view shape) {
    return object.size == size && object.shape == shape;
}

template <class Condition>
bool any(const Scene& scene, Condition condition) {
    return std::any_of(scene.objects.begin(), scene.objects.end(), condition);
}

bool is_large_cube(const SceneObject& o) { return is(o, "large", "cube"); }
bool is_large_cylinder(const SceneObject& o) { return is(o, "large", "cylinder"); }
bool is_small_metal_cube(const SceneObject& o) { return is(o, "small", "cube") && o.material == "metal"; }
bool is_small_sphere(const SceneObject& o) { return is(o, "small", "sphere"); }
bool is_large_blue_sphere(const SceneObject& o) { return is(o, "large", "sphere") && o.color == "blue"; }
bool is_small_yellow_sphere(const SceneObject& o) { return is_small_sphere(o) && o.color == "yellow"; }

// The two objects that a scene of the class must have; all attributes that the rule leaves open are random.
std::vector<SceneObject> required_objects(unsigned label, Rng& rng) {
    std::vector<SceneObject> both{random_solid(rng), random_solid(rng)};
    const auto make = [](SceneObject& object, const char* size, const char* shape) {
        object.size = size;
        object.shape = shape;
    };
    if (label == 0) {
        make(both[0], "large", "cube");
        make(both[1], "large", "cylinder");
    } else if (label == 1) {
        make(both[0], "small", "cube");
        both[0].material = "metal";
        make(both[1], "small", "sphere");
    } else {
        make(both[0], "large", "sphere");
        both[0].color = "blue";
        make(both[1], "small", "sphere");
        both[1].color = "yellow";
    }
    return both;
}

// Only the required objects: others of the same size and shape may look different, as in the published data.
void confound(std::vector<SceneObject>& required, unsigned label) {
    if (label == 0) required[0].color = "gray";
    if (label == 1) required[1].material = "metal";
}

bool follows_only(const Scene& scene, unsigned label) {
    for (unsigned other = 0; other < hans_classes; ++other) {
        if (follows_hans_rule(scene, other) != (other == label)) return false;
    }
    return true;
}

HansScene make_scene(const HansOptions& options, unsigned label, std::size_t index) {
    Rng rng(item_seed(options.seed, "clevr-hans", {static_cast<std::uint64_t>(options.split), label, index}));
    const std::size_t objects = options.least_objects + rng.below(options.most_objects - options.least_objects + 1);
    HansScene result;
    result.label = label;
    Scene& scene = result.scene;
    do {
        scene.objects = required_objects(label, rng);
        if (options.split != Split::Test) confound(scene.objects, label);
        while (scene.objects.size() < objects) scene.objects.push_back(random_solid(rng));
    } while (!follows_only(scene, label));
    shuffle_in_place(scene.objects, rng);
    do {
        scene.seed = rng.next();
        PlacementRules placement = options.placement;
        placement.directions = ground_directions(camera_of(scene, options.camera));
        place_objects(scene.objects, placement, rng);
    } while (!all_visible(scene, options.camera, options.visible_pixels));
    scene.image = fmt::format("CLEVR_Hans_classid_{}_{}_{:06}.png", label, split_name(options.split), index);
    return result;
}

}  // namespace

bool follows_hans_rule(const Scene& scene, unsigned label) {
    switch (label) {
    case 0:
        return any(scene, is_large_cube) && any(scene, is_large_cylinder);
    case 1:
        return any(scene, is_small_metal_cube) && any(scene, is_small_sphere);
    case 2:
        return any(scene, is_large_blue_sphere) && any(scene, is_small_yellow_sphere);
    default:
        throw std::invalid_argument(fmt::format("class {} of {}", label, hans_classes));
    }
}

std::vector<std::string_view> hans_rule_attributes(const SceneObject& object, unsigned label) {
    if (label == 0 && (is_large_cube(object) || is_large_cylinder(object))) return {"size", "shape"};
    if (label == 1 && is_small_metal_cube(object)) return {"size", "material", "shape"};
    if (label == 1 && is_small_sphere(object)) return {"size", "shape"};
    if (label == 2 && (is_large_blue_sphere(object) || is_small_yellow_sphere(object)))
        return {"size", "color", "shape"};
    return {};
}

std::vector<HansScene> make_hans_scenes(const HansOptions& options) {
    if (options.least_objects < 2 || options.most_objects < options.least_objects) {
        throw std::invalid_argument(fmt::format("scenes of {} to {} objects: at least 2 are needed for a rule",
                                                options.least_objects, options.most_objects));
    }
    std::vector<HansScene> scenes(options.per_class * hans_classes);
    const std::size_t chunks = (scenes.size() + scenes_per_chunk - 1) / scenes_per_chunk;
    parallel_chunks(options.threads, chunks, [&](std::size_t chunk) {
        const std::size_t end = std::min(scenes.size(), (chunk + 1) * scenes_per_chunk);
        for (std::size_t i = chunk * scenes_per_chunk; i < end; ++i) {
            scenes[i] = make_scene(options, static_cast<unsigned>(i / options.per_class), i % options.per_class);
        }
    });
    return scenes;
}

}  // namespace neumann
