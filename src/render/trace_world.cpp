#include "render/trace_world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "base/rng.h"

namespace neumann::trace {
namespace {

struct SurfaceColor {
    std::string_view name;
    std::array<int, 3> rgb;
};
// Taken as linear light, divided by 255.
constexpr std::array<SurfaceColor, 8> colors{{{"gray", {87, 87, 87}},
                                              {"red", {173, 35, 35}},
                                              {"blue", {42, 75, 215}},
                                              {"green", {29, 105, 20}},
                                              {"brown", {129, 74, 25}},
                                              {"purple", {129, 38, 192}},
                                              {"cyan", {41, 208, 208}},
                                              {"yellow", {255, 238, 51}}}};

struct Lamp {
    Point center;
    double side;
    double watts;
    Point color;
};
constexpr std::array<Lamp, area_lights> lamps{{{{6.4467, -2.9052, 4.2584}, 0.5, 100, {1, 0.932, 0.817}},
                                               {{-4.6711, -4.0136, 3.0112}, 0.5, 30, {0.762, 0.818, 1}},
                                               {{-1.1685, 2.646, 5.8157}, 1, 50, {1, 1, 1}}}};

constexpr std::array<double, 2> ground_across{-0.903, 0.429};
// Distance along ground_across, and height.
constexpr std::array<std::array<double, 2>, ground_lines> ground_profile{
    {{4, 0}, {8.7, 0.18}, {11.4, 0.5}, {13.3, 1.11}, {14.6, 2.17}, {15.6, 3.85}, {16.4, 7.14}, {17.1, 12.2}}};

void copy(const Point& from, float* to) {
    for (unsigned k = 0; k < 3; ++k) to[k] = static_cast<float>(from[k]);
}

Shape make_shape(const SceneObject& object, std::size_t number, const Look& look) {
    const auto refuse = [&](std::string_view what) {
        return std::invalid_argument(
            fmt::format("object {} cannot be drawn: {} (shape '{}', color '{}', material '{}', half-size {})", number,
                        what, object.shape, object.color, object.material, object.extent));
    };
    Shape shape{};
    double reach = 1;  // radius of the bounding sphere over the half-size
    if (object.shape == "sphere") {
        shape.kind = Kind::Sphere;
    } else if (object.shape == "cube") {
        shape.kind = Kind::Cube;
        reach = std::numbers::sqrt3;
    } else if (object.shape == "cylinder") {
        shape.kind = Kind::Cylinder;
        reach = std::numbers::sqrt2;
    } else {
        throw refuse("unknown shape");
    }
    if (object.material != "metal" && object.material != "rubber") throw refuse("unknown material");
    const auto* color = std::ranges::find(colors, object.color, &SurfaceColor::name);
    if (color == colors.end()) throw refuse("unknown color");
    if (!(object.extent > 0) || !std::isfinite(object.extent)) throw refuse("no size");
    for (const double coordinate : object.position)
        if (!std::isfinite(coordinate)) throw refuse("no place");
    shape.metal = object.material == "metal";
    copy(object.position, shape.center);
    shape.half = static_cast<float>(object.extent);
    shape.bevel =
        static_cast<float>(object.extent * (shape.kind == Kind::Cube ? look.cube_bevel : look.cylinder_bevel));
    const double angle = object.rotation * std::numbers::pi / 180;
    shape.cosine = static_cast<float>(std::cos(angle));
    shape.sine = static_cast<float>(std::sin(angle));
    shape.bound = static_cast<float>(object.extent * object.extent * reach * reach);
    for (unsigned k = 0; k < 3; ++k) shape.color[k] = static_cast<float>(color->rgb[k]) / 255.0F;
    return shape;
}

void turn_lamp(AreaLight& light, const Point& center, double tilt) {
    const double away = std::hypot(center[0], center[1], center[2]);
    Point n{-tilt * center[0] / away, -tilt * center[1] / away, -(1 - tilt) - tilt * center[2] / away};
    const double length = std::hypot(n[0], n[1], n[2]);
    for (double& v : n) v /= length;
    const double across = std::hypot(n[0], n[2]);
    const Point s{-n[2] / across, 0, n[0] / across};
    copy(n, light.normal);
    copy(s, light.side[0]);
    copy({n[1] * s[2] - n[2] * s[1], n[2] * s[0] - n[0] * s[2], n[0] * s[1] - n[1] * s[0]}, light.side[1]);
}

Ground make_ground(const Look& look) {
    Ground ground{};
    ground.color = static_cast<float>(look.ground_color);
    const double length = std::hypot(ground_across[0], ground_across[1]);
    for (unsigned k = 0; k < 2; ++k) ground.across[k] = static_cast<float>(ground_across[k] / length);
    double slope = 0;
    for (unsigned k = 1; k < ground_lines; ++k) {
        GroundLine& line = ground.line[k];
        const auto& [u, height] = ground_profile[k - 1];
        const auto& [next_u, next_height] = ground_profile[k];
        const double next_slope = (next_height - height) / (next_u - u);
        line.from[0] = static_cast<float>(u);
        line.from[1] = static_cast<float>(height);
        line.slope = static_cast<float>(next_slope);
        line.slope_before = static_cast<float>((slope + next_slope) / 2);
        slope = next_slope;
    }
    ground.line[1].slope_before = 0;
    ground.end = static_cast<float>(look.ground_end);
    ground.profile_end = static_cast<float>(ground_profile.back()[0]);
    ground.slope_at_end = static_cast<float>(slope);
    return ground;
}

}  // namespace

World make_world(const Scene& scene, const Camera& camera, const Look& look, std::vector<Shape>& shapes) {
    shapes.clear();
    for (const SceneObject& object : scene.objects) shapes.push_back(make_shape(object, shapes.size(), look));
    World world{};
    world.shapes = shapes.data();
    world.shape_count = static_cast<unsigned>(shapes.size());
    Rng rng(scene.seed ^ 0x6c616d7073ULL);
    for (unsigned k = 0; k < area_lights; ++k) {
        const Lamp& lamp = lamps[k];
        Point center = lamp.center;
        for (double& coordinate : center) coordinate += look.light_jitter * (2 * rng.uniform() - 1);
        copy(center, world.lights[k].center);
        turn_lamp(world.lights[k], lamp.center, look.lamp_tilt);
        world.lights[k].half = static_cast<float>(lamp.side / 2);
        // Cycles gives a lamp of P watts and area A the radiance P/(4·A).
        for (unsigned c = 0; c < 3; ++c)
            world.lights[k].radiance[c] =
                static_cast<float>(look.light_scale * lamp.color[c] * lamp.watts / (4 * lamp.side * lamp.side));
    }
    const Point& d = look.sun_direction;
    const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    copy({d[0] / length, d[1] / length, d[2] / length}, world.sun.direction);
    world.sun.spread = static_cast<float>(look.sun_spread);
    world.sun.cosine = static_cast<float>(1 / std::hypot(1.0, look.sun_spread));
    world.sun.density = static_cast<float>(1 / (std::numbers::pi * look.sun_spread * look.sun_spread));
    world.sun.irradiance = static_cast<float>(look.sun_irradiance);
    world.ground = make_ground(look);
    world.materials = {static_cast<float>(look.rough_share),
                       {static_cast<float>(look.rough * (1 - look.anisotropy)),
                        static_cast<float>(look.rough / (1 - look.anisotropy))},
                       static_cast<float>(look.mirror),
                       static_cast<float>(look.gloss_share),
                       static_cast<float>(look.gloss)};
    copy(camera.position(), world.eye.position);
    copy(camera.forward(), world.eye.forward);
    for (unsigned k = 0; k < 3; ++k) {
        world.eye.right[k] = static_cast<float>(camera.right()[k] * camera.half_width());
        world.eye.up[k] = static_cast<float>(camera.up()[k] * camera.half_height());
    }
    return world;
}

}  // namespace neumann::trace
