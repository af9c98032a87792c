#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "base/lane_batch.h"
#include "base/rng.h"
#include "render/trace.h"
#include "render/trace_path.h"
#include "render/trace_samples.h"

namespace neumann {
namespace {

using Lanes = xsimd::batch<float>;
using LaneVec = trace::Vec<Lanes>;

SceneObject object(std::string shape, std::string color, std::string material, double x, double y, double half) {
    SceneObject result;
    result.shape = std::move(shape);
    result.color = std::move(color);
    result.material = std::move(material);
    result.position = {x, y, half};
    result.extent = half;
    result.rotation = 30;
    return result;
}
Scene small_scene() {
    Scene scene;
    scene.seed = 42;
    scene.objects = {object("sphere", "red", "metal", -1, 0.5, 0.7), object("cube", "cyan", "rubber", 1, 1.5, 0.7),
                     object("cylinder", "yellow", "metal", 0.8, -1.2, 0.35)};
    return scene;
}
TraceOptions tiny() {
    TraceOptions options = TraceOptions::training();
    options.width = 45;  // not a multiple of any number of lanes
    options.height = 30;
    options.samples = 16;
    options.threads = 1;
    return options;
}
float lane(const Lanes& v, unsigned k) {
    alignas(64) float values[Lanes::size];
    v.store_aligned(values);
    return values[k];
}
double sum(const Lanes& v) {
    double total = 0;
    for (unsigned k = 0; k < Lanes::size; ++k) total += lane(v, k);
    return total;
}
double mean_of(const Image& image) {
    double total = 0;
    for (const std::uint8_t v : image.data) total += v;
    return total / static_cast<double>(image.data.size());
}

TEST(Trace, TheNumberOfThreadsChangesNothing) {
    TraceOptions options = tiny();
    const TracedScene one = trace_scene(small_scene(), options);
    options.threads = 2;
    const TracedScene two = trace_scene(small_scene(), options);
    EXPECT_EQ(one.picture, two.picture);
    EXPECT_EQ(one.mask, two.mask);
    EXPECT_EQ(one.boxes, two.boxes);
}

TEST(Trace, TheInstructionsChangeNothing) {
    TraceOptions options = tiny();
    options.instructions = "baseline";
    const TracedScene expected = trace_scene(small_scene(), options);
    for (const std::string_view name : trace_instructions()) {
        options.instructions = name;
        const TracedScene result = trace_scene(small_scene(), options);
        EXPECT_EQ(result.picture, expected.picture) << name;
        EXPECT_EQ(result.mask, expected.mask) << name;
    }
}

TEST(Trace, TheSeedMovesCameraAndLights) {
    Scene scene = small_scene();
    const TracedScene first = trace_scene(scene, tiny());
    scene.seed = 43;
    EXPECT_NE(trace_scene(scene, tiny()).picture, first.picture);
}

TEST(Trace, ASphereIsWhereItsOutlineIs) {
    Scene scene;
    scene.seed = 9;
    scene.objects = {object("sphere", "blue", "rubber", 0.5, -0.5, 0.7)};
    TraceOptions options = tiny();
    options.width = 120;
    options.height = 80;
    const TracedScene traced = trace_masks(scene, options);
    EXPECT_TRUE(traced.picture.data.empty());
    const Camera camera = camera_of(scene);
    const Point& center = scene.objects[0].position;
    Box expected{120, 80, 0, 0, 0};
    unsigned wrong = 0;
    for (unsigned y = 0; y < 80; ++y) {
        for (unsigned x = 0; x < 120; ++x) {
            const Point ray = camera.ray(x + 0.5, y + 0.5, 120, 80);
            double along = 0;
            double squared = 0;
            double ray2 = 0;
            for (unsigned k = 0; k < 3; ++k) {
                const double to = center[k] - camera.position()[k];
                along += to * ray[k];
                squared += to * to;
                ray2 += ray[k] * ray[k];
            }
            const bool inside = squared - along * along / ray2 < 0.7 * 0.7;
            wrong += inside != (*traced.mask.at(x, y) == 1) ? 1 : 0;
            if (!inside) continue;
            expected = {std::min(expected.left, x), std::min(expected.top, y), std::max(expected.right, x + 1),
                        std::max(expected.bottom, y + 1), expected.pixels + 1};
        }
    }
    EXPECT_EQ(wrong, 0U);
    ASSERT_EQ(traced.boxes.size(), 1U);
    EXPECT_EQ(traced.boxes[0], expected);
    EXPECT_GT(expected.pixels, 100U);
}

TEST(Trace, BoxesBelongToTheMask) {
    Scene scene = small_scene();
    scene.objects.push_back(object("sphere", "gray", "rubber", -1, 0.5, 0.2));  // inside the first: hidden
    const TracedScene traced = trace_scene(scene, tiny());
    ASSERT_EQ(traced.boxes.size(), 4U);
    EXPECT_EQ(traced.boxes[3], Box{});
    for (unsigned k = 0; k < 3; ++k) {
        const Box& box = traced.boxes[k];
        std::size_t count = 0;
        for (unsigned y = box.top; y < box.bottom; ++y)
            for (unsigned x = box.left; x < box.right; ++x) count += *traced.mask.at(x, y) == k + 1 ? 1 : 0;
        EXPECT_EQ(count, box.pixels);
        EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(traced.mask.data, k + 1)), box.pixels);
        const Point middle = camera_of(scene).project(scene.objects[k].position, 45, 30);
        EXPECT_EQ(*traced.mask.at(static_cast<unsigned>(middle[0]), static_cast<unsigned>(middle[1])), k + 1);
    }
    EXPECT_EQ(trace_masks(scene, tiny()).mask, traced.mask);
}

TEST(Trace, ObjectsHaveTheirColors) {
    Scene scene;
    scene.seed = 1;
    scene.objects = {object("cube", "red", "rubber", 0, 0, 0.7)};
    const TracedScene red = trace_scene(scene, tiny());
    const std::uint8_t* p = red.picture.at(22, 14);
    EXPECT_GT(p[0], 2 * p[1]);
    EXPECT_GT(p[0], 2 * p[2]);
    const std::uint8_t* ground = red.picture.at(40, 26);
    EXPECT_LT(std::max({ground[0], ground[1], ground[2]}) - std::min({ground[0], ground[1], ground[2]}), 25);
    EXPECT_GT(ground[1], 80);
}

TEST(Trace, MoreBouncesOnlyAddLight) {
    TraceOptions options = tiny();
    double before = 0;
    for (const unsigned bounces : {0U, 1U, 4U}) {
        options.bounces = bounces;
        const double now = mean_of(trace_scene(small_scene(), options).picture);
        EXPECT_GT(now, before) << bounces;
        before = now;
    }
}

// Smoothing is for noise alone: with many samples it must not move the picture.
TEST(Trace, SmoothingKeepsThePicture) {
    TraceOptions options = tiny();
    options.samples = 128;
    const Image smoothed = trace_scene(small_scene(), options).picture;
    options.smoothing = 0;
    const Image plain = trace_scene(small_scene(), options).picture;
    double squares = 0;
    for (std::size_t k = 0; k < plain.data.size(); ++k)
        squares += std::pow(double{1} * plain.data[k] - smoothed.data[k], 2);
    EXPECT_LT(std::sqrt(squares / static_cast<double>(plain.data.size())), 1.5);
}

TEST(Trace, WhatCannotBeDrawnIsRefused) {
    const auto refused = [](auto change) {
        Scene scene = small_scene();
        TraceOptions options = tiny();
        change(scene, options);
        EXPECT_THROW(trace_scene(scene, options), std::invalid_argument);
    };
    refused([](Scene& scene, TraceOptions&) { scene.objects[0].shape = "triangle"; });
    refused([](Scene& scene, TraceOptions&) { scene.objects[0].color = "pink"; });
    refused([](Scene& scene, TraceOptions&) { scene.objects[0].material = ""; });
    refused([](Scene& scene, TraceOptions&) { scene.objects[0].extent = 0; });
    refused([](Scene& scene, TraceOptions&) { scene.objects[0].position[1] = NAN; });
    refused([](Scene& scene, TraceOptions&) { scene.objects.resize(256, scene.objects[0]); });
    refused([](Scene&, TraceOptions& options) { options.width = 0; });
    refused([](Scene&, TraceOptions& options) { options.samples = 0; });
    refused([](Scene&, TraceOptions& options) { options.instructions = "abacus"; });
}

// Rays against a slow walk along the distance function, in double precision.
TEST(Trace, RoundedShapesAreMetWhereTheyAre) {
    const std::uint64_t seed = 20;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    for (const char* name : {"cube", "cylinder"}) {
        Scene scene;
        scene.objects = {object(name, "red", "rubber", 0, 0, 1)};
        std::vector<trace::Shape> shapes;
        const trace::World world = trace::make_world(scene, Camera(0), {}, shapes);
        const trace::Shape& shape = shapes[0];
        const double inner = 1.0 - shape.bevel;
        const auto distance = [&](double x, double y, double z) {  // from the surface
            const double c = shape.cosine;
            const double s = shape.sine;
            std::array<double, 3> q{std::abs(c * x + s * y) - inner, std::abs(c * y - s * x) - inner,
                                    std::abs(z - 1) - inner};
            if (shape.kind == trace::Kind::Cylinder) q = {std::hypot(x, y) - inner, -1, q[2]};
            const double outside = std::hypot(std::max(q[0], 0.0), std::max(q[1], 0.0), std::max(q[2], 0.0));
            return outside + std::min(std::max({q[0], q[1], q[2]}), 0.0) - shape.bevel;
        };
        unsigned hits = 0;
        for (int k = 0; k < 400; ++k) {
            const auto chance = [&] { return 2 * rng.uniform() - 1; };
            const std::array<double, 3> from{4 * chance(), 4 * chance(), 3 + 2 * rng.uniform()};
            std::array<double, 3> along{1.3 * chance() - from[0], 1.3 * chance() - from[1], 1 + chance() - from[2]};
            const double length = std::hypot(along[0], along[1], along[2]);
            for (double& a : along) a /= length;
            double t = 0;
            double gap = 1;
            for (int step = 0; step < 5000 && t < 20 && gap > 1e-7; ++step) {
                gap = distance(from[0] + t * along[0], from[1] + t * along[1], from[2] + t * along[2]);
                t += gap;
            }
            const bool met = gap <= 1e-7;
            const auto as_lanes = [](const std::array<double, 3>& p) {
                return LaneVec{Lanes(static_cast<float>(p[0])), Lanes(static_cast<float>(p[1])),
                               Lanes(static_cast<float>(p[2]))};
            };
            const trace::Ray<Lanes> ray{as_lanes(from), as_lanes(along), Lanes(trace::no_object)};
            const float found = lane(trace::meet(shape, 0, ray, Lanes(0.0F) == Lanes(0.0F)), 0);
            const trace::Hit<Lanes> hit = trace::first_hit(world, ray, Lanes(0.0F) == Lanes(0.0F));
            EXPECT_NEAR(lane(dot(hit.normal, hit.normal), 0), 1, 1e-4);
            if (met && found < 1e8F) {
                EXPECT_NEAR(found, t, 0.05) << name << ' ' << k;  // grazing rays are allowed some slack
                EXPECT_LT(lane(dot(hit.normal, ray.along), 0), 0.05F);
                ++hits;
            } else if (met != (found < 1e8F)) {
                // Only where the ray all but misses.
                double nearest = 1;
                for (double u = 0; u < 20; u += 0.001)
                    nearest = std::min(
                        nearest, distance(from[0] + u * along[0], from[1] + u * along[1], from[2] + u * along[2]));
                EXPECT_GT(nearest, -0.01) << name << ' ' << k;
            }
        }
        EXPECT_GT(hits, 100U);
    }
}

// A white surface in a white world: what is scattered is what arrives, less what a rough surface shadows. The share is
// computed twice: as the mean weight of sampled directions, and by integrating the response over the hemisphere.
TEST(Trace, MaterialsKeepTheEnergy) {
    const std::vector<std::uint32_t> bits = trace::scrambled_points(4096, 1);
    const auto chance = [&](unsigned k, unsigned which) {
        alignas(64) float u[Lanes::size];
        for (unsigned j = 0; j < Lanes::size; ++j)
            u[j] = static_cast<float>(bits[which * 4096 + k + j] >> 8) * 0x1.0p-24F;
        return Lanes::load_aligned(u);
    };
    const trace::Frame<Lanes> frame({Lanes(0.0F), Lanes(0.0F), Lanes(1.0F)});
    for (const float cosine : {1.0F, 0.7F, 0.3F}) {
        const LaneVec view{Lanes(std::sqrt(1 - cosine * cosine)), Lanes(0.0F), Lanes(cosine)};
        for (const std::array<float, 2> rough :
             {std::array{0.1F, 0.4F}, std::array{0.2F, 0.2F}, std::array{0.4F, 0.1F}}) {
            const trace::Roughness<Lanes> alpha{Lanes(rough[0]), Lanes(rough[1])};
            double sampled = 0;
            double integrated = 0;
            double density = 0;
            double above = 0;  // the surface: where light can come from
            for (unsigned k = 0; k < 4096; k += Lanes::size) {
                const Lanes u = chance(k, 0);
                const Lanes v = chance(k, 1);
                const Lanes scale = trace::scatter_metal(frame, view, alpha, u, v).scale;
                sampled += sum(scale);
                above += sum(xsimd::select(scale > Lanes(0.0F), Lanes(1.0F), Lanes(0.0F)));
                Lanes c;
                Lanes s;
                trace::circle(v, c, s);
                const Lanes r = xsimd::sqrt(Lanes(1.0F) - u * u);
                const LaneVec l{r * c, r * s, xsimd::max(u, Lanes(1e-4F))};  // evenly over the hemisphere
                const Lanes value = trace::ggx(view, l, alpha) * Lanes(2 * std::numbers::pi_v<float>);
                integrated += sum(value);
                density += sum(value / trace::ggx_shadow(l, alpha));
            }
            EXPECT_NEAR(sampled / 4096, integrated / 4096, 0.02) << cosine << ' ' << rough[0];
            EXPECT_LE(sampled / 4096, 1.0001);
            EXPECT_GT(sampled / 4096, 0.75);
            EXPECT_NEAR(density / 4096, above / 4096, 0.02) << cosine << ' ' << rough[0];
        }
        trace::Surface<Lanes> rubber(frame);
        rubber.view = view;
        rubber.color = {Lanes(1.0F), Lanes(1.0F), Lanes(1.0F)};
        rubber.metal = trace::no_lane<Lanes>();
        rubber.lobe = Lanes(1.0F);
        rubber.gloss = Lanes(0.04F);
        rubber.any_dull = rubber.any_gloss = true;
        trace::Materials materials{};
        materials.gloss = 0.3F;
        double total = 0;
        for (unsigned k = 0; k < 4096; k += Lanes::size) {
            const trace::Scattered<Lanes> l = trace::scatter_diffuse(frame, chance(k, 0), chance(k, 1));
            const trace::Response<Lanes> response = trace::respond(materials, rubber, l.along, Lanes(1.0F));
            total += sum((response.tinted + response.white) * Lanes(std::numbers::pi_v<float>) /
                         xsimd::max(l.along.z, Lanes(1e-4F)));
        }
        EXPECT_LE(total / 4096, 1.01);
        EXPECT_GT(total / 4096, 0.95);
    }
}

TEST(Trace, PointSetsAreEvenlySpread) {
    const unsigned samples = 64;
    const std::vector<std::uint32_t> bits = trace::scrambled_points(samples, 3);
    for (unsigned set = 0; set < 3; ++set) {
        for (unsigned rows = 0; rows <= 6; ++rows) {  // boxes of 2^-rows by 2^-(6-rows)
            std::array<unsigned, 64> count{};
            for (unsigned k = 0; k < samples; ++k) {
                const std::uint64_t x = bits[set * 2 * samples + k];
                const std::uint64_t y = bits[(set * 2 + 1) * samples + k];
                ++count[((x << rows >> 32) << (6 - rows)) | (y << (6 - rows) >> 32)];
            }
            EXPECT_TRUE(std::ranges::all_of(count, [](unsigned n) { return n == 1; })) << set << ' ' << rows;
        }
    }
}

}  // namespace
}  // namespace neumann
