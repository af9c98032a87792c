#include "datasets/relation_samples.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "base/random_draws.h"
#include "datasets/kandinsky.h"
#include "scene/camera.h"
#include "scene/place_objects.h"
#include "valuation/valuation.h"

namespace neumann {
namespace {

constexpr std::size_t line_objects_least = 5;  // as many as the shortest line of a pattern has
constexpr std::size_t line_objects_most = 7;
constexpr unsigned tries_near_threshold = 100'000;

using Places = std::vector<RelationPlace>;

double normal(Rng& rng) {
    const double radius = std::sqrt(-2 * std::log(1 - rng.uniform()));
    return radius * std::cos(2 * std::numbers::pi * rng.uniform());
}

double measured(const RelationFunction& relation, Places places, double noise, Rng& rng) {
    for (RelationPlace& place : places) {
        place.x += noise * normal(rng);
        place.y += noise * normal(rng);
    }
    return relation.feature->value(places);
}

// How many objects a sample of the relation has.
std::size_t draw_arity(const ValuationFunction& relation, std::size_t most, Rng& rng) {
    if (relation.arity != 0) return relation.arity;
    most = std::min(most, line_objects_most);
    return line_objects_least + rng.below(static_cast<std::uint32_t>(most - line_objects_least + 1));
}

// One or two objects: anywhere. More: more or less along a line, or their residual is hardly ever small.
Places loose_places(std::size_t count, Rng& rng) {
    Places places(count);
    const double slope = between(-1, 1, rng);
    const double loose = between(0, 0.25, rng);
    for (RelationPlace& place : places) {
        place = {between(0.05, 0.95, rng), between(0.05, 0.95, rng)};
        if (count > 2) place.y = 0.5 + slope * (place.x - 0.5) + between(-loose, loose, rng);
    }
    return places;
}

Places places_near_threshold(const ValuationFunction& relation, double width, Rng& rng) {
    const std::size_t count = draw_arity(relation, line_objects_most, rng);
    for (unsigned i = 0; i < tries_near_threshold; ++i) {
        Places places = loose_places(count, rng);
        if (std::abs(relation.relation.feature->value(places) - relation.relation.threshold) <= width) return places;
    }
    throw std::runtime_error(
        fmt::format("no places were found where {} is within {} of its threshold", relation.name, width));
}

// Objects of a figure that follows some pattern or just misses it.
Places places_in_figure(const ValuationFunction& relation, const RelationSampling& sampling, std::uint64_t index,
                        Rng& rng) {
    const std::size_t least = relation.arity == 0 ? line_objects_least : relation.arity;
    std::vector<const FigurePattern*> patterns;
    for (const FigurePattern& pattern : figure_patterns()) {
        if (pattern.objects_least >= least) patterns.push_back(&pattern);
    }
    FigureSet set;
    set.pattern = patterns[index % patterns.size()];
    set.seed = sampling.seed;
    set.split = sampling.split;
    std::vector<SceneObject> objects = make_figure(set, index / patterns.size()).scene.objects;
    shuffle_in_place(objects, rng);
    objects.resize(draw_arity(relation, objects.size(), rng));
    Places places;
    for (const SceneObject& object : objects) places.push_back(relation_place(object, {}));
    return places;
}

Rng rng_of(const ValuationFunction& relation, const RelationSampling& sampling, std::string_view layout,
           std::uint64_t index) {
    const std::string name = fmt::format("{}.{}", layout, relation.name);
    return Rng(item_seed(sampling.seed, name, {static_cast<std::uint64_t>(sampling.split), index}));
}

Scene solid_scene(bool row, Rng& rng) {
    Scene scene;
    scene.seed = rng.next();
    if (row) {
        scene.objects.assign(2 + rng.below(2), {});
        for (SceneObject& object : scene.objects) {
            object = random_solid(rng);
            object.size = "large";
        }
        place_in_row(scene.objects, {}, rng);
    } else {
        scene.objects.resize(3 + rng.below(5));
        for (SceneObject& object : scene.objects) object = random_solid(rng);
        PlacementRules rules;
        rules.directions = ground_directions(camera_of(scene));
        place_objects(scene.objects, rules, rng);
    }
    shuffle_in_place(scene.objects, rng);
    return scene;
}

}  // namespace

std::vector<RelationSample> flat_relation_samples(const ValuationFunction& relation, const RelationSampling& sampling) {
    std::vector<RelationSample> samples;
    std::uint64_t figures = 0;
    for (std::size_t i = 0; i < sampling.samples; ++i) {
        Rng rng = rng_of(relation, sampling, "flat", i);
        const Places places = rng.chance(sampling.near_share)
                                  ? places_near_threshold(relation, sampling.near_width, rng)
                                  : places_in_figure(relation, sampling, figures++, rng);
        samples.push_back({measured(relation.relation, places, sampling.noise, rng), relation.relation.holds(places)});
    }
    return samples;
}

std::vector<RelationSample> solid_relation_samples(const ValuationFunction& relation,
                                                   const RelationSampling& sampling) {
    if (relation.relation.flat_only) {
        throw std::invalid_argument(fmt::format("{} is known for flat figures only", relation.name));
    }
    std::vector<RelationSample> samples;
    for (std::size_t i = 0; i < sampling.samples; ++i) {
        Rng rng = rng_of(relation, sampling, "solid", i);
        const Scene scene = solid_scene(i % 2 == 0, rng);
        const Camera camera = camera_of(scene);
        Places on_ground;
        Places in_picture;
        for (std::size_t k = 0; k < relation.arity; ++k) {
            const SceneObject& object = scene.objects[k];
            on_ground.push_back(relation_place(object, ground_directions(camera)));
            const Point seen = camera.project(object.position, 1, 1);
            in_picture.push_back({seen[0], seen[1]});
        }
        samples.push_back(
            {measured(relation.relation, in_picture, sampling.noise, rng), relation.relation.holds(on_ground)});
    }
    return samples;
}

}  // namespace neumann
