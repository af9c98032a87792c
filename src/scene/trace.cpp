#include "scene/trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>

#include "base/thread_pool.h"
#include "scene/trace_filter.h"
#include "scene/trace_kernel.h"
#include "scene/trace_samples.h"

namespace neumann {
namespace trace {

extern const Kernel avx512;
extern const Kernel avx2;
extern const Kernel baseline;

namespace {

constexpr unsigned point_sets = 64;

std::vector<const Kernel*> available_kernels() {
    std::vector<const Kernel*> result;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) result.push_back(&avx512);
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) result.push_back(&avx2);
#endif
    result.push_back(&baseline);
    return result;
}

const Kernel& chosen_kernel(std::string_view name) {
    for (const Kernel* kernel : available_kernels())
        if (name.empty() || name == kernel->name) return *kernel;
    throw std::invalid_argument(fmt::format("no instructions '{}' on this processor", name));
}

// What a screen takes for linear light (sRGB), in 8 bits: the number of thresholds that the light reaches.
class ScreenValues {
public:
    ScreenValues() {
        for (unsigned k = 0; k < thresholds_.size(); ++k) {
            const double value = (k + 0.5) / 255;
            thresholds_[k] =
                static_cast<float>(value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
        }
    }
    std::uint8_t operator()(float light) const {
        return static_cast<std::uint8_t>(std::ranges::upper_bound(thresholds_, light) - thresholds_.begin());
    }

private:
    std::array<float, 255> thresholds_{};
};

// A scene on its way to a picture.
class Tracing {
public:
    Tracing(const Scene& scene, const TraceOptions& options)
        : kernel_(chosen_kernel(options.instructions)),
          threads_(options.threads == 0 ? hardware_threads() : options.threads),
          layers_(options.width, options.height) {
        constexpr unsigned longest_side = 1U << 14;
        if (options.width == 0 || options.height == 0 || options.width > longest_side || options.height > longest_side)
            throw std::invalid_argument(fmt::format("no picture of {}×{} pixels", options.width, options.height));
        if (options.samples == 0 || options.samples > (1U << 16) || options.bounces > 64 || options.smoothing > 64)
            throw std::invalid_argument(
                fmt::format("no picture with {} samples, {} bounces and smoothing over {} pixels", options.samples,
                            options.bounces, options.smoothing));
        if (scene.objects.size() > 255)
            throw std::invalid_argument(fmt::format("{} objects: a mask has room for 255", scene.objects.size()));
        world_ = make_world(scene, camera_of(scene, options.camera), options.look, shapes_);
        job_.world = &world_;
        job_.seed = scene.seed;
        job_.width = options.width;
        job_.height = options.height;
        job_.samples = (options.samples + packet - 1) / packet * packet;
        job_.bounces = options.bounces;
        job_.filter_radius = static_cast<float>(options.filter_radius);
        job_.brightest = static_cast<float>(options.brightest);
    }
    Tracing(const Tracing&) = delete;
    Tracing& operator=(const Tracing&) = delete;

    void look() {
        parallel_chunks(threads_, job_.height, [&](std::size_t y) {
            const std::size_t row = y * job_.width;
            kernel_.look(
                job_, {static_cast<unsigned>(y), &layers_.object[row], &layers_.normal[3 * row], &layers_.depth[row]});
        });
    }
    void draw() {
        const std::vector<std::uint32_t> points = scrambled_points(job_.samples, point_sets);
        job_.points = {points.data(), point_sets};
        parallel_chunks(threads_, job_.height, [&](std::size_t y) {
            const std::size_t row = y * job_.width;
            kernel_.draw(
                job_, {static_cast<unsigned>(y), &layers_.sharp[3 * row], &layers_.soft[3 * row], &layers_.whole[row]});
        });
    }
    Image picture(unsigned smoothing) const {
        static const ScreenValues screen_value;
        Image image = Image::blank(job_.width, job_.height, 3);
        parallel_chunks(threads_, job_.height, [&](std::size_t y) {
            std::vector<float> soft(std::size_t{3} * job_.width);
            smooth_row(layers_, static_cast<unsigned>(y), smoothing, soft.data());
            const float* sharp = &layers_.sharp[y * soft.size()];
            std::uint8_t* out = image.at(0, static_cast<unsigned>(y));
            for (std::size_t k = 0; k < soft.size(); ++k) out[k] = screen_value(sharp[k] + soft[k]);
        });
        return image;
    }
    void find_objects(TracedScene& result) const {
        result.mask = Image::blank(job_.width, job_.height, 1);
        result.boxes.assign(world_.shape_count, Box{job_.width, job_.height, 0, 0, 0});
        for (unsigned y = 0; y < job_.height; ++y) {
            for (unsigned x = 0; x < job_.width; ++x) {
                const std::int32_t object = layers_.object[std::size_t{y} * job_.width + x];
                *result.mask.at(x, y) = static_cast<std::uint8_t>(object + 1);
                if (object < 0) continue;
                Box& box = result.boxes[static_cast<std::size_t>(object)];
                box.left = std::min(box.left, x);
                box.top = std::min(box.top, y);
                box.right = std::max(box.right, x + 1);
                box.bottom = std::max(box.bottom, y + 1);
                ++box.pixels;
            }
        }
        for (Box& box : result.boxes)
            if (box.pixels == 0) box = {};
    }

private:
    const Kernel& kernel_;
    unsigned threads_;
    Layers layers_;
    std::vector<Shape> shapes_;
    World world_{};
    Job job_{};
};

}  // namespace
}  // namespace trace

TraceOptions TraceOptions::training() {
    TraceOptions options;
    options.width = 128;
    options.height = 128;
    options.samples = 32;
    options.bounces = 3;
    options.smoothing = 2;
    return options;
}

TracedScene trace_scene(const Scene& scene, const TraceOptions& options) {
    trace::Tracing tracing(scene, options);
    tracing.look();
    tracing.draw();
    TracedScene result;
    tracing.find_objects(result);
    result.picture = tracing.picture(options.smoothing);
    return result;
}

TracedScene trace_masks(const Scene& scene, const TraceOptions& options) {
    trace::Tracing tracing(scene, options);
    tracing.look();
    TracedScene result;
    tracing.find_objects(result);
    return result;
}

std::vector<std::string_view> trace_instructions() {
    std::vector<std::string_view> names;
    for (const trace::Kernel* kernel : trace::available_kernels()) names.emplace_back(kernel->name);
    return names;
}

}  // namespace neumann
