// The kernels of trace_path.h with one lane per thread of the GPU. A warp draws a pixel: its threads are samples, which
// follow similar paths and read the same random points; and it sums them in the order of trace_path.h. With -fmad=false
// the GPU computes the same values as the processor, bit for bit.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/parallel.h"
#include "render/trace_cuda.h"
#include "render/trace_cuda_memory.h"
#include "render/trace_filter.h"
#include "render/trace_job.h"
#include "render/trace_path.h"
#include "render/trace_samples.h"
#include "render/trace_screen.h"

namespace neumann {
namespace trace {
namespace {

constexpr unsigned warp = 32;
constexpr unsigned whole_warp = 0xffffffffU;
constexpr unsigned block = 256;
constexpr unsigned most_scenes = 256;                      // in one go
constexpr std::size_t most_pixels = std::size_t{1} << 23;  // in one launch, unless it is a single image

struct GpuScene {
    World world;
    std::uint64_t seed;
};

// On the GPU; all scenes of one go, one after the other.
struct GpuPixels {
    float* sharp;
    float* soft;
    float* whole;
    std::int32_t* object;
    float* normal;
    std::uint8_t* mask;
    std::uint8_t* picture;
};

__device__ Job job_of(const Job& common, const GpuScene& scene) {
    Job job = common;
    job.world = &scene.world;
    job.seed = scene.seed;
    return job;
}

// Of all three kernels: blockIdx.y is the scene.

__global__ void __launch_bounds__(block) look_at_middles(Job common, const GpuScene* scenes, GpuPixels out) {
    const unsigned pixels = common.width * common.height;
    const unsigned pixel = blockIdx.x * block + threadIdx.x;
    if (pixel >= pixels) return;
    const Job job = job_of(common, scenes[blockIdx.y]);
    const Lane x(static_cast<float>(pixel % job.width) + 0.5F);
    const Hit<Lane> hit = pixel_middles(job, x, pixel / job.width);
    const std::size_t place = std::size_t{blockIdx.y} * pixels + pixel;
    const auto object = static_cast<std::int32_t>(hit.object.v);
    out.object[place] = object;
    out.mask[place] = static_cast<std::uint8_t>(object + 1);
    out.normal[3 * place] = hit.normal.x.v;
    out.normal[3 * place + 1] = hit.normal.y.v;
    out.normal[3 * place + 2] = hit.normal.z.v;
}

__global__ void __launch_bounds__(block, 2) draw_samples(Job common, const GpuScene* scenes, GpuPixels out) {
    static_assert(warp == 2 * packet);
    const unsigned pixels = common.width * common.height;
    const unsigned pixel = blockIdx.x * (block / warp) + threadIdx.x / warp;
    const unsigned lane = threadIdx.x % warp;
    if (pixel >= pixels) return;  // all of a warp, or none
    const Job job = job_of(common, scenes[blockIdx.y]);
    float strands[6] = {0, 0, 0, 0, 0, 0};  // each of the first `packet` lanes has one
    float first = 0;
    bool whole = true;
    for (unsigned start = 0; start < job.samples; start += warp) {
        const bool second_half = start + packet < job.samples;
        const bool takes_part = lane < packet || second_half;
        Radiance<Lane> r;
        if (takes_part) r = pixel_samples<Lane>(job, pixel % job.width, pixel / job.width, start + lane);
        __syncwarp();
        const float parts[6] = {r.sharp.x.v, r.sharp.y.v, r.sharp.z.v, r.soft.x.v, r.soft.y.v, r.soft.z.v};
        for (unsigned c = 0; c < 6; ++c) {
            const float later = __shfl_down_sync(whole_warp, parts[c], packet);
            strands[c] += parts[c];
            if (second_half) strands[c] += later;
        }
        if (start == 0) first = __shfl_sync(whole_warp, r.first_object.v, 0);
        const bool alike = __all_sync(whole_warp, !takes_part || r.first_object.v == first) != 0;
        whole = whole && alike;
    }
    const std::size_t place = std::size_t{blockIdx.y} * pixels + pixel;
    for (unsigned c = 0; c < 6; ++c) {
        float total = 0;
        for (unsigned k = 0; k < packet; ++k) total += __shfl_sync(whole_warp, strands[c], static_cast<int>(k));
        if (lane == 0) (c < 3 ? out.sharp : out.soft)[3 * place + c % 3] = total / static_cast<float>(job.samples);
    }
    if (lane == 0) out.whole[place] = whole ? 1.0F : 0.0F;
}

__global__ void __launch_bounds__(block)
    finish_pictures(unsigned width, unsigned height, unsigned smoothing, const float* thresholds, GpuPixels out) {
    const unsigned pixels = width * height;
    const unsigned pixel = blockIdx.x * block + threadIdx.x;
    if (pixel >= pixels) return;
    const std::size_t scene = std::size_t{blockIdx.y} * pixels;
    const FilterLayers layers{
        width, height, out.soft + 3 * scene, out.whole + scene, out.object + scene, out.normal + 3 * scene};
    float soft[3];
    smooth_pixel(layers, pixel % width, pixel / width, smoothing, soft);
    const std::size_t place = 3 * (scene + pixel);
    for (unsigned c = 0; c < 3; ++c) out.picture[place + c] = screen_value(thresholds, out.sharp[place + c] + soft[c]);
}

// Where results arrive. There are two: while the GPU fills one, the processor empties the other.
struct Arrival {
    explicit Arrival(std::size_t pixels) : picture(3 * pixels), mask(pixels) {}

    PinnedArray<std::uint8_t> picture;
    PinnedArray<std::uint8_t> mask;
    Event event;
};

// Draws some scenes after the other; all have the same size.
class GpuTracer {
public:
    GpuTracer(const TraceOptions& options, std::size_t scenes)
        : options_(options), pixels_(std::size_t{options.width} * options.height), limit_(scenes * pixels_),
          sharp_(3 * limit_), soft_(3 * limit_), whole_(limit_), object_(limit_), normal_(3 * limit_), mask_(limit_),
          picture_(3 * limit_), arrivals_{Arrival(limit_), Arrival(limit_)} {
        thresholds_.upload(screen_thresholds(), stream_);
    }

    // Returns at once, the GPU being busy, unless it still is from before.
    void start(std::span<const Scene> scenes, unsigned arrival) {
        const Job common = upload(scenes);
        const GpuPixels out{sharp_.data(),  soft_.data(), whole_.data(),  object_.data(),
                            normal_.data(), mask_.data(), picture_.data()};
        const auto blocks = [&](std::size_t threads) {
            return dim3(static_cast<unsigned>((threads + block - 1) / block), static_cast<unsigned>(scenes.size()));
        };
        look_at_middles<<<blocks(pixels_), block, 0, stream_>>>(common, scenes_.data(), out);
        check_cuda(cudaGetLastError(), "looking at middles");
        draw_samples<<<blocks(pixels_ * warp), block, 0, stream_>>>(common, scenes_.data(), out);
        check_cuda(cudaGetLastError(), "drawing samples");
        finish_pictures<<<blocks(pixels_), block, 0, stream_>>>(common.width, common.height, options_.smoothing,
                                                                thresholds_.data(), out);
        check_cuda(cudaGetLastError(), "finishing pictures");
        Arrival& to = arrivals_[arrival];
        to.picture.download(picture_, 3 * pixels_ * scenes.size(), stream_);
        to.mask.download(mask_, pixels_ * scenes.size(), stream_);
        to.event.record(stream_);
    }

    // Waits for the work that was started with this arrival.
    void finish(std::span<const Scene> scenes, unsigned arrival, TracedScene* results) {
        Arrival& from = arrivals_[arrival];
        from.event.wait();
        const unsigned threads = options_.threads == 0 ? hardware_threads() : options_.threads;
        parallel_chunks(threads, scenes.size(), [&](std::size_t k) {
            const auto image = [&](const std::uint8_t* all, unsigned channels) {
                const std::uint8_t* begin = all + k * pixels_ * channels;
                return Image{options_.width, options_.height, channels, {begin, begin + pixels_ * channels}};
            };
            results[k].picture = image(from.picture.data(), 3);
            results[k].mask = image(from.mask.data(), 1);
            results[k].boxes = boxes_in(results[k].mask, scenes[k].objects.size());
        });
    }

private:
    // The data that the jobs of all scenes share.
    Job upload(std::span<const Scene> scenes) {
        std::vector<GpuScene> ready;
        std::vector<Shape> shapes;
        Job common{};
        for (const Scene& scene : scenes) {
            const PreparedScene prepared(scene, options_);
            ready.push_back({prepared.world, scene.seed});
            shapes.insert(shapes.end(), prepared.shapes.begin(), prepared.shapes.end());
            common = prepared.job;
        }
        shapes_.upload(shapes, stream_);
        const Shape* next = shapes_.data();
        for (GpuScene& scene : ready) {
            scene.world.shapes = next;
            next += scene.world.shape_count;
        }
        scenes_.upload(ready, stream_);
        if (points_.data() == nullptr) points_.upload(scrambled_points(common.samples, point_sets), stream_);
        common.points = points_.data();
        return common;
    }

    const TraceOptions& options_;
    std::size_t pixels_;  // of one image
    std::size_t limit_;   // pixels of all images in one launch
    GpuArray<GpuScene> scenes_;
    GpuArray<Shape> shapes_;
    GpuArray<std::uint32_t> points_;
    GpuArray<float> thresholds_;
    GpuArray<float> sharp_, soft_, whole_;
    GpuArray<std::int32_t> object_;
    GpuArray<float> normal_;
    GpuArray<std::uint8_t> mask_, picture_;
    Arrival arrivals_[2];
    Stream stream_;  // last, so that it stops first
};

}  // namespace
}  // namespace trace

bool cuda_tracer_available() {
    cudaFuncAttributes attributes;
    const bool found = cudaFuncGetAttributes(&attributes, trace::draw_samples) == cudaSuccess;
    cudaGetLastError();  // it would be reported by the next call
    return found;
}

std::vector<TracedScene> trace_scenes_cuda(std::span<const Scene> scenes, const TraceOptions& options) {
    std::vector<TracedScene> results(scenes.size());
    if (scenes.empty()) return results;
    trace::PreparedScene(scenes[0], options);  // refuses sizes before memory is asked for
    const std::size_t pixels = std::size_t{options.width} * options.height;
    const std::size_t at_once =
        std::min(std::clamp<std::size_t>(trace::most_pixels / pixels, 1, trace::most_scenes), scenes.size());
    trace::GpuTracer tracer(options, at_once);
    const auto part = [&](std::size_t first) {
        return scenes.subspan(first, std::min(at_once, scenes.size() - first));
    };
    unsigned arrival = 0;
    tracer.start(part(0), arrival);
    for (std::size_t first = 0; first < scenes.size(); first += at_once) {
        const std::size_t next = first + at_once;
        if (next < scenes.size()) tracer.start(part(next), 1 - arrival);
        tracer.finish(part(first), arrival, results.data() + first);
        arrival = 1 - arrival;
    }
    return results;
}

}  // namespace neumann
