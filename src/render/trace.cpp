#include "render/trace.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>

#include "base/parallel.h"
#include "render/trace_filter.h"
#include "render/trace_job.h"
#include "render/trace_kernel.h"
#include "render/trace_samples.h"
#include "render/trace_screen.h"

namespace neumann {
namespace trace {

extern const Kernel avx512;
extern const Kernel avx2;
extern const Kernel baseline;
extern const Kernel scalar;

namespace {

std::vector<const Kernel*> available_kernels() {
    std::vector<const Kernel*> result;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) result.push_back(&avx512);
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) result.push_back(&avx2);
#endif
    result.push_back(&baseline);
    result.push_back(&scalar);
    return result;
}

const Kernel& chosen_kernel(std::string_view name) {
    for (const Kernel* kernel : available_kernels())
        if (name.empty() || name == kernel->name) return *kernel;
    throw std::invalid_argument(fmt::format("no instructions '{}' on this processor", name));
}

// Output of the kernels, per pixel of the image; three floats each for colours and normals.
struct Layers {
    Layers(unsigned w, unsigned h)
        : width(w), height(h), sharp(std::size_t{3} * w * h), soft(std::size_t{3} * w * h), whole(std::size_t{w} * h),
          object(std::size_t{w} * h), normal(std::size_t{3} * w * h), depth(std::size_t{w} * h) {}

    unsigned width;
    unsigned height;
    std::vector<float> sharp;
    std::vector<float> soft;
    std::vector<float> whole;
    std::vector<std::int32_t> object;
    std::vector<float> normal;
    std::vector<float> depth;
};

// The state while one scene is drawn.
class Tracing {
public:
    Tracing(const Scene& scene, const TraceOptions& options)
        : kernel_(chosen_kernel(options.instructions)),
          threads_(options.threads == 0 ? hardware_threads() : options.threads), prepared_(scene, options),
          layers_(options.width, options.height) {}

    void look() {
        const Job& job = prepared_.job;
        parallel_chunks(threads_, job.height, [&](std::size_t y) {
            const std::size_t row = y * job.width;
            kernel_.look(
                job, {static_cast<unsigned>(y), &layers_.object[row], &layers_.normal[3 * row], &layers_.depth[row]});
        });
    }
    void draw() {
        const std::vector<std::uint32_t> points = scrambled_points(prepared_.job.samples, point_sets);
        Job job = prepared_.job;
        job.points = points.data();
        parallel_chunks(threads_, job.height, [&](std::size_t y) {
            const std::size_t row = y * job.width;
            kernel_.draw(
                job, {static_cast<unsigned>(y), &layers_.sharp[3 * row], &layers_.soft[3 * row], &layers_.whole[row]});
        });
    }
    Image picture(unsigned smoothing) const {
        const float* thresholds = screen_thresholds().data();
        const FilterLayers layers{layers_.width,        layers_.height,        layers_.soft.data(),
                                  layers_.whole.data(), layers_.object.data(), layers_.normal.data()};
        Image image = Image::blank(layers_.width, layers_.height, 3);
        parallel_chunks(threads_, layers_.height, [&](std::size_t row) {
            const auto y = static_cast<unsigned>(row);
            for (unsigned x = 0; x < layers_.width; ++x) {
                const float* sharp = &layers_.sharp[3 * (row * layers_.width + x)];
                float soft[3];
                smooth_pixel(layers, x, y, smoothing, soft);
                std::uint8_t* out = image.at(x, y);
                for (unsigned c = 0; c < 3; ++c) out[c] = screen_value(thresholds, sharp[c] + soft[c]);
            }
        });
        return image;
    }
    void find_objects(TracedScene& result) const {
        result.mask = Image::blank(layers_.width, layers_.height, 1);
        std::ranges::transform(layers_.object, result.mask.data.begin(),
                               [](std::int32_t object) { return static_cast<std::uint8_t>(object + 1); });
        result.boxes = boxes_in(result.mask, prepared_.shapes.size());
    }

private:
    const Kernel& kernel_;
    unsigned threads_;
    PreparedScene prepared_;
    Layers layers_;
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
