#include "perceive/scene_of.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "render/draw_figure.h"
#include "render/trace_world.h"
#include "scene/camera.h"
#include "scene/place_objects.h"
#include "valuation/valuation_registry.h"

namespace neumann {
namespace {

constexpr unsigned published_width = 480;
constexpr unsigned published_height = 320;

struct Sides {
    double width = 0;
    double height = 0;
};

// Where a scene keeps an attribute.
std::string SceneObject::*member_of(const AttributeColumns& attribute) {
    const auto all = valuation_functions();
    return std::ranges::find(all, attribute.name, &ValuationFunction::name)->attribute;
}

// The box around a flat shape of extent 1.
Sides flat_sides(const std::string& shape) {
    const FigureProportions& of = figure_proportions;
    if (shape == "circle") return {2 * of.circle_radius, 2 * of.circle_radius};
    if (shape == "triangle") return {2 * of.triangle_half_width, of.triangle_above + of.triangle_below};
    return {1, 1};
}

double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Grows to hold, along one axis of the view at depth 1, a ball: planes through the eye that touch it are its limits.
struct Interval {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    void add(double across, double depth, double radius) {
        const double root = radius * std::sqrt(std::max(0.0, across * across + depth * depth - radius * radius));
        const double scale = depth * depth - radius * radius;
        least = std::min(least, (across * depth - root) / scale);
        most = std::max(most, (across * depth + root) / scale);
    }
};

// A shape with rounded edges is the convex hull of balls: a sphere is one ball, a cube has them in its corners, a
// cylinder along its rims, where this number is enough.
struct Balls {
    unsigned around;  // a circle, at the top and at the bottom
    double circle;    // radius of that circle, over the half-size like all that follows
    double height;
    double radius;
};

Balls balls_of(const std::string& shape) {
    const trace::Look look;
    if (shape == "sphere") return {1, 0, 0, 1};
    if (shape == "cube") return {4, std::numbers::sqrt2 * (1 - look.cube_bevel), 1 - look.cube_bevel, look.cube_bevel};
    return {64, 1 - look.cylinder_bevel, 1 - look.cylinder_bevel, look.cylinder_bevel};
}

Sides solid_sides(const SceneObject& object, const Camera& camera) {
    const Balls balls = balls_of(object.shape);
    const double first = object.rotation * std::numbers::pi / 180 + std::numbers::pi / 4;
    const Point& eye = camera.position();
    Interval across;
    Interval upwards;
    for (unsigned k = 0; k < balls.around; ++k) {
        const double angle = first + 2 * std::numbers::pi * k / balls.around;
        for (const double z : {-balls.height, balls.height}) {
            const Point offset{balls.circle * std::cos(angle), balls.circle * std::sin(angle), z};
            Point seen;
            for (std::size_t i = 0; i < 3; ++i) seen[i] = object.position[i] + object.extent * offset[i] - eye[i];
            const double depth = dot(seen, camera.forward());
            across.add(dot(seen, camera.right()), depth, object.extent * balls.radius);
            upwards.add(dot(seen, camera.up()), depth, object.extent * balls.radius);
        }
    }
    return {(across.most - across.least) / (2 * camera.half_width()),
            (upwards.most - upwards.least) / (2 * camera.half_height())};
}

void fill_words(const SceneObject& object, const ObjectLayout& layout, std::span<float> row) {
    for (const AttributeColumns& attribute : layout.attributes) {
        const std::string& word = object.*member_of(attribute);
        const auto found = std::ranges::find(attribute.values, word);
        if (found == attribute.values.end()) {
            throw std::invalid_argument(fmt::format("{} objects have no {} '{}'", layout.name, attribute.name, word));
        }
        row[attribute.first + static_cast<std::size_t>(found - attribute.values.begin())] = 1;
    }
}

}  // namespace

Scene scene_of(const SeenObjects& seen, double least_presence) {
    const Camera camera(0, {.jitter = 0});
    Scene scene;
    for (std::size_t k = 0; k < seen.count(); ++k) {
        const std::span<const float> row = seen.row(k);
        if (row[column::presence] < least_presence) continue;
        SceneObject object;
        for (const AttributeColumns& attribute : seen.layout->attributes)
            object.*member_of(attribute) = attribute.values[seen.likeliest(k, attribute).value];
        if (seen.layout->flat()) {
            const Sides one = flat_sides(object.shape);
            object.extent = (row[column::width] / one.width + row[column::height] / one.height) / 2;
            object.position = {row[column::x], row[column::y], 0};
        } else {
            object.extent = solid_extent(object.size);
            object.position = {row[column::ground_x], row[column::ground_y], object.extent};
            object.pixel = {row[column::x] * published_width, row[column::y] * published_height,
                            camera.project(object.position, published_width, published_height)[2]};
        }
        scene.objects.push_back(std::move(object));
    }
    return scene;
}

SeenObjects seen_of(const Scene& scene, unsigned width, unsigned height) {
    SeenObjects seen;
    const bool solid = !scene.objects.empty() && !scene.objects.front().material.empty();
    seen.layout = solid ? &solid_layout() : &flat_layout();
    seen.rows.resize(scene.objects.size() * seen.layout->columns);
    const Camera camera = camera_of(scene);
    for (std::size_t k = 0; k < scene.objects.size(); ++k) {
        const SceneObject& object = scene.objects[k];
        const std::span<float> row = std::span(seen.rows).subspan(k * seen.layout->columns, seen.layout->columns);
        fill_words(object, *seen.layout, row);
        Point centre = object.position;
        Sides sides;
        if (solid) {
            centre = camera.project(object.position, width, height);
            centre[0] /= width;
            centre[1] /= height;
            sides = solid_sides(object, camera);
            row[column::ground_x] = static_cast<float>(object.position[0]);
            row[column::ground_y] = static_cast<float>(object.position[1]);
        } else {
            const Sides one = flat_sides(object.shape);
            sides = {one.width * object.extent, one.height * object.extent};
        }
        row[column::presence] = 1;
        row[column::x] = static_cast<float>(centre[0]);
        row[column::y] = static_cast<float>(centre[1]);
        row[column::width] = static_cast<float>(sides.width);
        row[column::height] = static_cast<float>(sides.height);
    }
    return seen;
}

}  // namespace neumann
