// One lane computes what each lane of a vector computes. So does a GPU, where there is one.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "base/lane.h"
#include "base/lane_batch.h"
#include "base/rng.h"
#include "render/trace_cuda.h"
#include "render/trace_job.h"
#include "render/trace_samples.h"
#include "scene/place_objects.h"

namespace neumann {
namespace trace {
extern const Kernel baseline;
extern const Kernel scalar;
}  // namespace trace
namespace {

using Lanes = xsimd::batch<float>;

Scene random_scene(std::uint64_t seed, unsigned objects) {
    Rng rng(seed);
    Scene scene;
    scene.seed = seed;
    for (unsigned k = 0; k < objects; ++k) scene.objects.push_back(random_solid(rng));
    place_objects(scene.objects, {}, rng);
    return scene;
}
TraceOptions small_picture() {
    TraceOptions options = TraceOptions::training();
    options.width = 61;  // not a multiple of any number of lanes
    options.height = 40;
    return options;
}

std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint32_t bits_of(Lane x) { return bits_of(x.v); }
std::uint32_t bits_of(const Lanes& x) {
    alignas(64) float values[Lanes::size];
    x.store_aligned(values);
    return bits_of(values[0]);
}

TEST(TraceLane, OperationsAreThoseOfVectors) {
    const float infinite = std::numeric_limits<float>::infinity();
    const std::array values{0.0F, -0.0F, 1.0F, -2.5F, 1e-40F, 3e38F, infinite, -infinite, std::nanf("")};
    for (const float a : values) {
        EXPECT_EQ(bits_of(abs(Lane(a))), bits_of(xsimd::abs(Lanes(a)))) << a;
        if (a >= 0) {
            EXPECT_EQ(bits_of(sqrt(Lane(a))), bits_of(xsimd::sqrt(Lanes(a)))) << a;
        }
        for (const float b : values) {
            const Lane x(a);
            const Lane y(b);
            const Lanes u(a);
            const Lanes v(b);
            EXPECT_EQ(bits_of(min(x, y)), bits_of(xsimd::min(u, v))) << a << ' ' << b;
            EXPECT_EQ(bits_of(max(x, y)), bits_of(xsimd::max(u, v))) << a << ' ' << b;
            EXPECT_EQ(x == y, xsimd::any(u == v)) << a << ' ' << b;
            EXPECT_EQ(x != y, xsimd::any(u != v)) << a << ' ' << b;
            EXPECT_EQ(x < y, xsimd::any(u < v)) << a << ' ' << b;
            EXPECT_EQ(x <= y, xsimd::any(u <= v)) << a << ' ' << b;
            EXPECT_EQ(x > y, xsimd::any(u > v)) << a << ' ' << b;
            EXPECT_EQ(x >= y, xsimd::any(u >= v)) << a << ' ' << b;
            EXPECT_EQ(bits_of(select(x < y, x, y)), bits_of(xsimd::select(u < v, u, v))) << a << ' ' << b;
        }
    }
    const std::vector<std::uint32_t> bits = trace::scrambled_points(64, 1);
    for (unsigned k = 0; k + Lanes::size <= bits.size(); ++k)
        EXPECT_EQ(bits_of(LaneTraits<Lane>::mantissa(&bits[k], 0x12345678U)),
                  bits_of(LaneTraits<Lanes>::mantissa(&bits[k], 0x12345678U)));
}

TEST(Lane, TakesFloatsApartAsVectorsDo) {
    Rng rng(7);
    for (int i = 0; i < 10000; ++i) {
        const auto power = static_cast<float>(rng.uniform() * 252.0 - 126.0);
        const float whole = std::nearbyint(power);
        EXPECT_EQ(LaneTraits<Lane>::nearest(Lane(power)).v, whole);  // but for the sign of 0
        EXPECT_EQ(bits_of(LaneTraits<Lane>::power_of_two(Lane(whole))), bits_of(std::exp2(whole))) << whole;
        EXPECT_EQ(bits_of(LaneTraits<Lanes>::power_of_two(Lanes(whole))), bits_of(std::exp2(whole))) << whole;
        const float value = std::exp2(power);
        Lane exponent(0.0F);
        Lanes exponents(0.0F);
        const Lane mantissa = LaneTraits<Lane>::split(Lane(value), exponent);
        EXPECT_EQ(bits_of(mantissa), bits_of(LaneTraits<Lanes>::split(Lanes(value), exponents))) << value;
        EXPECT_EQ(bits_of(exponent), bits_of(exponents)) << value;
        EXPECT_EQ(std::ldexp(mantissa.v, static_cast<int>(exponent.v)), value);
        EXPECT_TRUE(mantissa.v >= 0.707F && mantissa.v < 1.4143F) << value;
    }
}

// Before anything is rounded to 8 bits.
std::vector<std::uint32_t> all_that_is_computed(const trace::Kernel& kernel, const trace::Job& job) {
    std::vector<std::uint32_t> result;
    for (unsigned y = 0; y < job.height; ++y) {
        const std::size_t width = job.width;
        std::vector<std::int32_t> object(width);
        std::vector<float> normal(3 * width), depth(width), sharp(3 * width), soft(3 * width), whole(width);
        kernel.look(job, {y, object.data(), normal.data(), depth.data()});
        kernel.draw(job, {y, sharp.data(), soft.data(), whole.data()});
        for (const std::int32_t number : object) result.push_back(static_cast<std::uint32_t>(number));
        for (const auto* layer : {&normal, &depth, &sharp, &soft, &whole})
            for (const float value : *layer) result.push_back(bits_of(value));
    }
    return result;
}

TEST(TraceLane, DrawsWhatVectorsDraw) {
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        SCOPED_TRACE(seed);
        TraceOptions options = small_picture();
        options.samples = seed % 2 == 0 ? 32 : 48;
        options.bounces = static_cast<unsigned>(seed);
        trace::PreparedScene prepared(random_scene(seed, 2 + 2 * static_cast<unsigned>(seed)), options);
        const std::vector<std::uint32_t> points = trace::scrambled_points(prepared.job.samples, trace::point_sets);
        prepared.job.points = points.data();
        EXPECT_TRUE(all_that_is_computed(trace::scalar, prepared.job) ==
                    all_that_is_computed(trace::baseline, prepared.job));
    }
}

TEST(TraceCuda, DrawsWhatTheProcessorDraws) {
    std::vector<Scene> scenes{Scene{}};  // the first without objects
    for (const std::uint64_t seed : {11U, 12U, 13U}) scenes.push_back(random_scene(seed, 5));
    TraceOptions options = small_picture();
    if (!cuda_tracer_available()) {
        EXPECT_THROW(trace_scenes_cuda(scenes, options), std::runtime_error);
        return;
    }
    for (const unsigned samples : {16U, 48U, 64U}) {
        options.samples = samples;
        const std::vector<TracedScene> results = trace_scenes_cuda(scenes, options);
        ASSERT_EQ(results.size(), scenes.size());
        for (std::size_t k = 0; k < scenes.size(); ++k) {
            const TracedScene expected = trace_scene(scenes[k], options);
            EXPECT_TRUE(results[k].picture == expected.picture) << samples << ' ' << k;
            EXPECT_TRUE(results[k].mask == expected.mask) << samples << ' ' << k;
            EXPECT_EQ(results[k].boxes, expected.boxes) << samples << ' ' << k;
        }
    }
    EXPECT_TRUE(trace_scenes_cuda({}, options).empty());
    scenes[2].objects[0].shape = "triangle";
    EXPECT_THROW(trace_scenes_cuda(scenes, options), std::invalid_argument);
    options.width = 0;
    EXPECT_THROW(trace_scenes_cuda(scenes, options), std::invalid_argument);
}

}  // namespace
}  // namespace neumann
